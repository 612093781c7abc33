"""Every word of the interface in every language, in one place."""

from __future__ import annotations

from collections.abc import Mapping

from claimbook.settings import Text
from claimbook.sources.state import State
from claimbook.verdicts.verdict import Verdict

WORDS: Mapping[str, Text] = {
    "home": {"ru": "Главная", "en": "Home"},
    "also_searched": {"ru": "Также ищут", "en": "Also searched for"},
    "definition": {"ru": "Определение", "en": "Definition"},
    "why": {"ru": "Зачем это знать", "en": "Why it matters"},
    "map": {"ru": "Карта понятия", "en": "Concept map"},
    "claims": {"ru": "Что подтверждено", "en": "What is verified"},
    "limits": {"ru": "Граница применимости", "en": "Limits"},
    "myths": {"ru": "Часто говорят, но это не так", "en": "Often said, and not so"},
    "said": {"ru": "Говорят", "en": "Said"},
    "instead": {"ru": "На деле", "en": "Seen instead"},
    "check_yourself": {"ru": "Что проверить у себя", "en": "What to check yourself"},
    "exercise": {"ru": "Числовое упражнение", "en": "Numerical exercise"},
    "answer": {"ru": "Ответ", "en": "Answer"},
    "answer_missing": {
        "ru": "Опыт здесь не выполнялся, ответа нет.",
        "en": "The experiment was not run here; there is no answer.",
    },
    "answer_stale": {
        "ru": "Ответ устарел: карточка или опыт с тех пор изменились.",
        "en": "The answer is stale: the card or the experiment has changed since.",
    },
    "sources": {"ru": "Первоисточники", "en": "Primary sources"},
    "source_code": {"ru": "исходный код, тег", "en": "source code, tag"},
    "link_not_checked": {
        "ru": "записи о проверке ссылки ещё нет",
        "en": "no check of the link is on record yet",
    },
    "passage": {"ru": "отрывок", "en": "passage"},
    "lines": {"ru": "строки", "en": "lines"},
    "planned": {"ru": "готовится", "en": "planned"},
    "courses": {"ru": "Курсы по теме", "en": "Courses"},
    "catalog": {"ru": "В каталоге", "en": "In the catalog"},
    "evidence": {"ru": "Подтверждение", "en": "Evidence"},
    "checks": {"ru": "проверок", "en": "checks"},
    "check": {"ru": "Проверка", "en": "Check"},
    "expected": {"ru": "Ожидается", "en": "Expected"},
    "observed": {"ru": "Наблюдалось", "en": "Observed"},
    "control": {"ru": "Контроль", "en": "Control"},
    "no_parameters": {"ru": "без параметров", "en": "no parameters"},
    "by_rank": {"ru": "по участникам", "en": "by rank"},
    "across": {"ru": "список по участникам", "en": "list over ranks"},
    "ranks": {"ru": "участников", "en": "ranks"},
    "experiment": {"ru": "Опыт", "en": "Experiment"},
    "repeat": {"ru": "Повторить", "en": "Repeat"},
    "single_runs": {"ru": "Отдельные опыты", "en": "Single runs"},
    "copy": {"ru": "Скопировать", "en": "Copy"},
    "environment": {"ru": "Среда", "en": "Environment"},
    "commit": {"ru": "коммит", "en": "commit"},
    "date": {"ru": "дата", "en": "date"},
    "no_evidence": {
        "ru": "Записей о выполнении нет.",
        "en": "There is no record of a run.",
    },
    "not_run_here": {"ru": "здесь не выполнялось", "en": "not run here"},
    "claims_verified": {"ru": "Утверждений подтверждено", "en": "Claims verified"},
    "of": {"ru": "из", "en": "of"},
    "checks_verified": {"ru": "проверок", "en": "checks"},
    "not_run_count": {"ru": "не выполнялось здесь", "en": "not run here"},
    "link_to": {"ru": "Ссылка на это место", "en": "Link to this place"},
    "figure_mesh": {
        "ru": "Сетка по наблюдению. Буква и цвет — группа разделения; в клетке участник и его часть.",
        "en": "The mesh as observed. Letter and colour are the shard group; a cell has a rank and its part.",
    },
    "shard_group": {"ru": "группа разделения", "en": "shard group"},
    "intro": {
        "ru": (
            "Утверждения этой книги держатся на выполненных опытах и на закреплённых отрывках документации. "
            "Рядом с предложением видно, что ожидалось, что наблюдалось и при каких параметрах ожидание "
            "не сбывается."
        ),
        "en": (
            "The claims of this book rest on experiments that were run and on pinned passages of the "
            "documentation. Beside a sentence stand what was expected, what was seen, and the parameters "
            "under which the expectation fails."
        ),
    },
    "related": {"ru": "Связанные понятия", "en": "Related concepts"},
    "about_release": {"ru": "Книга о выпуске", "en": "The book is about"},
    "all_courses": {"ru": "Курсы", "en": "Courses"},
    "all_gpus": {"ru": "Каталог GPU", "en": "GPU catalog"},
    "figure": {"ru": "Показатель", "en": "Figure"},
    "value": {"ru": "Значение", "en": "Value"},
    "source": {"ru": "Источник", "en": "Source"},
    "vendor_source": {"ru": "страница производителя", "en": "vendor's page"},
    "other_source": {"ru": "другой источник", "en": "another source"},
    "not_seen": {"ru": "сама страница не прочитана", "en": "the page itself was not read"},
    "error_banner": {
        "ru": "В карточке ошибка; показана последняя исправная версия.",
        "en": "The card has an error; the last good version is shown.",
    },
    "language_of": {"ru": "язык", "en": "language"},
    "level_of": {"ru": "уровень", "en": "level"},
    "dark": {"ru": "Тёмная тема", "en": "Dark theme"},
    "light": {"ru": "Светлая тема", "en": "Light theme"},
}

VERDICTS: Mapping[Verdict, Text] = {
    Verdict.VERIFIED: {"ru": "подтверждено", "en": "verified"},
    Verdict.REFUTED: {"ru": "опровергнуто", "en": "refuted"},
    Verdict.UNFALSIFIABLE: {"ru": "нефальсифицируемо", "en": "unfalsifiable"},
    Verdict.NOT_RUN: {"ru": "здесь не выполнялось", "en": "not run here"},
    Verdict.STALE: {"ru": "устарело", "en": "stale"},
    Verdict.ERROR: {"ru": "ошибка", "en": "error"},
}

MARKS: Mapping[Verdict, str] = {
    Verdict.VERIFIED: "✓",
    Verdict.REFUTED: "✗",
    Verdict.UNFALSIFIABLE: "∅",
    Verdict.NOT_RUN: "–",
    Verdict.STALE: "↻",
    Verdict.ERROR: "!",
}

LINKS: Mapping[State, Text] = {
    State.OK: {"ru": "ссылка открывается", "en": "the link answers"},
    State.MOVED: {"ru": "страница переехала", "en": "the page has moved"},
    State.GONE: {"ru": "страницы больше нет", "en": "the page is gone"},
    State.UNSURE: {"ru": "ответ на ссылку неясен", "en": "the link's answer settles nothing"},
    State.UNREACHABLE: {"ru": "никто не ответил", "en": "nobody answered"},
    State.SKIPPED: {"ru": "ссылка не проверялась", "en": "the link was not asked"},
}

LANGUAGES: Mapping[str, str] = {"ru": "Русский", "en": "English"}

LEVELS: Mapping[str, Text] = {
    "beginner": {"ru": "начальный", "en": "beginner"},
    "intermediate": {"ru": "средний", "en": "intermediate"},
    "advanced": {"ru": "продвинутый", "en": "advanced"},
}

FIGURES: Mapping[str, Text] = {
    "memory_gb": {"ru": "Память, ГБ", "en": "Memory, GB"},
    "memory_bandwidth_gbs": {"ru": "Пропускная способность памяти, ГБ/с", "en": "Memory bandwidth, GB/s"},
    "interconnect_gbs_bidir": {
        "ru": "Соединение между GPU, ГБ/с в обе стороны",
        "en": "Interconnect, GB/s in both directions",
    },
    "bf16_dense_tflops": {"ru": "BF16 без разреженности, Тфлоп/с", "en": "Dense BF16, TFLOP/s"},
    "tdp_w": {"ru": "Мощность, Вт", "en": "Power, W"},
}
"""Names of the figures of catalog entries; another name is shown as it is."""


def words(language: str) -> Mapping[str, str]:
    """The words of the interface in one language."""
    return {name: text[language] for name, text in WORDS.items()}
