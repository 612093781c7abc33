"""The one form in which an address is asked for, and the addresses that are not public."""

from __future__ import annotations

import pytest

from claimbook.sources.address import address, private

FORMS = (
    # host in ASCII, however it is written
    ("https://ПРИМЕР.рф/", "https://xn--e1afmkfd.xn--p1ai/", ""),
    ("https://xn--e1afmkfd.xn--p1ai", "https://xn--e1afmkfd.xn--p1ai/", ""),
    # encoded once: neither twice nor not at all
    ("https://a.example/путь", "https://a.example/%D0%BF%D1%83%D1%82%D1%8C", ""),
    ("https://a.example/%D0%BF", "https://a.example/%D0%BF", ""),
    ("https://a.example/100%", "https://a.example/100%25", ""),
    ("https://a.example/a b?q=x y", "https://a.example/a%20b?q=x%20y", ""),
    ("https://a.example/x_(y)?a=1&b=2", "https://a.example/x_(y)?a=1&b=2", ""),
    # the port that goes without saying
    ("https://A.example:443/x", "https://a.example/x", ""),
    ("http://a.example:8080/x", "http://a.example:8080/x", ""),
    ("http://[::1]:8080/x", "http://[::1]:8080/x", ""),
    # fragments are decoded and not sent
    ("https://a.example/#%D0%BF", "https://a.example/", "п"),
    ("https://a.example/#part:~:text=a%20b", "https://a.example/", "part"),
)


@pytest.mark.parametrize(("url", "page", "fragment"), FORMS, ids=[row[0] for row in FORMS])
def test_normal_form(url: str, page: str, fragment: str) -> None:
    found = address(url)
    assert (found.page, found.fragment) == (page, fragment)
    assert address(found.page).page == page


PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1"),
    # IPv4 in other clothes
    *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
)


@pytest.mark.parametrize("ip", PRIVATE)
def test_not_public(ip: str) -> None:
    assert private(ip)


@pytest.mark.parametrize("ip", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_public(ip: str) -> None:
    assert not private(ip)
