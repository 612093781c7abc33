"""The two pages at the root: the one that leads to a language, and the one for what is not there."""

from __future__ import annotations

import json
from html import escape
from urllib.parse import urlsplit

from claimbook.settings import Settings
from claimbook.site.words import LANGUAGES

_STYLE = (
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;"
    "color-scheme:light dark}li{margin:.4rem 0}"
)


def chooser(settings: Settings) -> str:
    """`/index.html`: leads to the language chosen before, otherwise to the default one."""
    default = settings.languages[0]
    links = "".join(
        f'<li><a href="{language}/" hreflang="{language}" lang="{language}">{LANGUAGES[language]}</a></li>'
        for language in settings.languages
    )
    script = (
        f"const languages = {json.dumps(list(settings.languages))}\n"
        "let chosen = null\n"
        'try { chosen = localStorage.getItem("claimbook-language") } catch {}\n'
        f"const language = languages.includes(chosen) ? chosen : {json.dumps(default)}\n"
        'location.replace(language + "/" + location.hash)'
    )
    return _document(
        default,
        settings.title[default],
        f"<ul>{links}</ul>",
        head=f"<script>{script}</script><noscript>"
        f'<meta http-equiv="refresh" content="0; url={default}/"></noscript>',
    )


def not_found(settings: Settings, site_url: str) -> str:
    """`/404.html`, shown at any depth: its links start from the address of the site."""
    root = escape(urlsplit(site_url).path.rstrip("/"), quote=True)
    body = (
        '<h1 lang="ru">Такой страницы нет</h1>'
        '<p lang="ru">Возможно, она переехала или адрес набран с ошибкой. '
        f'<a href="{root}/ru/">На главную</a></p>'
        '<h2 lang="en">There is no such page</h2>'
        '<p lang="en">It may have moved, or the address has a slip. '
        f'<a href="{root}/en/">Home</a></p>'
    )
    return _document(settings.languages[0], "404", body)


def _document(language: str, title: str, body: str, *, head: str = "") -> str:
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>{head}</head><body>{body}</body></html>\n"
    )
