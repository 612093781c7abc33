"""Hands finished pages to MkDocs: a chooser at the root, below it an ordinary Material site per language."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, cast

from mkdocs.commands.build import build
from mkdocs.config import base, config_options, load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc
from mkdocs.theme import Theme
from mkdocs.utils import get_relative_url, write_file
from mkdocs.utils.templates import TemplateContext

from claimbook.errors import SettingsError
from claimbook.site.chooser import chooser, not_found
from claimbook.site.library import LastGood
from claimbook.site.page import Page, search_index, table_of_contents
from claimbook.site.pages import Library, pages
from claimbook.site.words import LANGUAGES, words

log = get_plugin_logger("claimbook")
HERE = Path(__file__).parent
WATCHED = ("concepts", "courses", "catalog", "evidence", "verifiers", "pyproject.toml")


class Options(base.Config):  # type: ignore[no-untyped-call]
    """`root` is the folder of the book; `language` is set for the sites below the root, never by hand."""

    root = config_options.Dir(default=".", exists=True)
    language = config_options.Optional(config_options.Type(str))


class ClaimbookPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """One instance builds the root; it makes another for each language and hands it the library."""

    library: Library

    def __init__(self) -> None:
        self.last_good = LastGood()
        self.pages: dict[str, Page] = {}

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Being there keeps this instance, with the last good cards, over the rebuilds of `mkdocs serve`."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the book at the root; set up the theme of a language below it."""
        if self.config.language is None:
            return self._root(config)
        t, settings = words(self.config.language), self.library.settings
        config.site_name = escape(settings.title[self.config.language])
        config.theme["language"] = self.config.language
        config.theme.dirs.insert(0, str(HERE / "theme"))
        # Without an address of the site there is nothing to put into a sitemap; 404.html stands at the root.
        config.theme.static_templates = {"sitemap.xml"} if config.site_url else set()
        for palette, name in zip(config.theme["palette"], (t["dark"], t["light"]), strict=True):
            palette["toggle"]["name"] = name
        config.extra["alternate"] = True
        return config

    def _root(self, config: MkDocsConfig) -> MkDocsConfig:
        try:
            self.library, wrong = self.last_good.read(Path(self.config.root))
        except SettingsError as error:
            raise PluginError(str(error)) from None
        if wrong:
            log.error("%s", wrong)
        settings = self.library.settings
        config.watch += [str(settings.root / name) for name in WATCHED if (settings.root / name).exists()]
        config.site_name = escape(settings.title[settings.languages[0]])
        # The root has two pages of its own and needs no theme.
        config.theme = Theme(name=None, custom_dir=str(HERE / "theme"))
        config.theme.static_templates = set()
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """The two pages of the root, or an empty page for each finished one, filled in later."""
        if self.config.language is None:
            settings = self.library.settings
            made = {"index.html": chooser(settings), "404.html": not_found(settings, config.site_url or "")}
            return Files([File.generated(config, name, content=text) for name, text in made.items()])
        for page in pages(self.library, self.config.language):
            self.pages[f"{page.address}index.md"] = page
        for uri in self.pages:
            files.append(File.generated(config, uri, content="", inclusion=InclusionLevel.NOT_IN_NAV))
        self._patch_search(files, config)
        return files

    def _patch_search(self, files: Files, config: MkDocsConfig) -> None:
        workers = "assets/javascripts/workers/search."
        worker = next(
            (it for it in files if it.src_uri.startswith(workers) and it.src_uri.endswith(".js")), None
        )
        if worker is None:
            log.warning("the theme has no search worker at %s*: inflected words will not be found", workers)
            return
        patched = f"{worker.content_string}\n{(HERE / 'search.js').read_text('utf-8')}"
        files.remove(worker)
        files.append(File.generated(config, worker.src_uri, content=patched))

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Home and sections in the sidebar, so that a page does not grow with the book."""
        made = {uri: file.page for uri in self.pages if (file := files.get_file_from_path(uri)) and file.page}
        for uri, page in made.items():
            page.title = escape(self.pages[uri].title, quote=False)  # the theme prints titles raw
        sidebar = [page for uri, page in made.items() if self.pages[uri].in_sidebar]
        return Navigation(sidebar, list(made.values())) if made else nav

    def on_page_content(self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        """The finished page in place of the empty one."""
        finished = self.pages[page.file.src_uri]
        page.toc = get_toc(cast(Any, table_of_contents(finished)))
        page.meta.update(title=page.title, description=escape(finished.description))
        return finished.html

    def on_page_context(
        self, context: TemplateContext, *, page: MkDocsPage, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Where the same page stands in the other languages."""
        alternates = [
            (
                other,
                LANGUAGES[other],
                get_relative_url(f"{other}/{page.url}", f"{self.config.language}/{page.url}"),
                other == self.config.language,
            )
            for other in self.library.settings.languages
        ]
        # The theme keeps the choice of dark or light by this address: one for all languages.
        config.extra["scope"] = get_relative_url(".", f"{self.config.language}/{page.url}")
        return cast(TemplateContext, {**context, "claimbook_alternates": alternates})

    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Below the root: the search index made from cards. At the root: the site of each language."""
        site = Path(config.site_dir)
        if self.config.language is not None:
            index = search_index(self.pages.values(), self.config.language)
            write_file(json.dumps(index, ensure_ascii=False).encode(), str(site / "search/search_index.json"))
            for source_map in site.rglob("*.map"):
                source_map.unlink()
            return
        for language in self.library.settings.languages:
            own = {"root": self.config.root, "language": language}
            below = load_config(
                config.config_file_path,
                site_dir=str(site / language),
                site_url=f"{config.site_url.rstrip('/')}/{language}/" if config.site_url else "",
                plugins=[{"search": {"lang": list(self.library.settings.languages)}}, {"claimbook": own}],
                strict=config.strict,
            )
            plugin = below.plugins["claimbook"]
            assert isinstance(plugin, ClaimbookPlugin)
            plugin.library = self.library
            build(below)
