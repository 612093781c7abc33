"""The site: finished pages from cards and evidence, handed to MkDocs by a thin plugin."""

from claimbook.site.page import Page
from claimbook.site.pages import Library, pages

__all__ = ["Library", "Page", "pages"]
