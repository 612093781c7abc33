"""The site: finished pages from cards and evidence, handed to MkDocs by a thin plugin."""

from claimbook.site.pages import Library, Page, pages

__all__ = ["Library", "Page", "pages"]
