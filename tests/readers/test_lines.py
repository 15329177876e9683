"""A line of verse and lines with labels, as models write them."""

from __future__ import annotations

import pytest

from apun.readers.lines import labelled, verse

LINES: list[tuple[str, str | None]] = [
    ('{"answer": "月光洒满了回家的路"}', "月光洒满了回家的路"),
    ('{"answer": "月光洒满了回家的路，"}', "月光洒满了回家的路，"),
    ("月光洒满了回家的路。", "月光洒满了回家的路。"),
    ("答案：月光洒满了回家的路", "月光洒满了回家的路"),
    ("<think>要押 u 韵</think>月光洒满了回家的路", "月光洒满了回家的路"),
    ('{"answer": "moonlight"}', None),
    ("抱歉，我无法回答。", None),
    ("第一句\n第二句", None),
    ("", None),
]

MORE_LINES = [
    ("月光洒满了回家的路\n（“路”押韵）", "月光洒满了回家的路"),
    ("**月光洒满了回家的路**", "月光洒满了回家的路"),
    ("我写的一句：\n月光洒满了回家的路", "月光洒满了回家的路"),
    ("歌词：月光洒满了回家的路", "月光洒满了回家的路"),
    ("我选一条回家的路", "我选一条回家的路"),
]
CHAIN = {"pun": "pun", "word": "word", "meaning": "meaning"}


@pytest.mark.parametrize(("text", "expected"), [*LINES, *MORE_LINES])
def test_lines(text: str, expected: str | None) -> None:
    assert verse(text).value == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            "**Pun:** yes\n- Word: honey\nMeaning: money\nThat is all.",
            {"pun": "yes", "word": "honey", "meaning": "money"},
        ),
        ("Word: honey", {"word": "honey"}),
        ("1. Pun: yes\n2. Word:\nhoney", {"pun": "yes", "word": "honey"}),
        ("| Pun | yes |\n| Word | honey |", {"pun": "yes", "word": "honey"}),
        ('{"Pun": true, "Word": "honey"}', {"pun": "yes", "word": "honey"}),
        ("Pun: no\nPun: yes", {"pun": "yes"}),
        ("<think>Pun: no</think>Pun: yes", {"pun": "yes"}),
        ("This pun: a good one", {}),
    ],
)
def test_lines_with_labels(reply: str, expected: dict[str, str]) -> None:
    assert labelled(reply, CHAIN) == expected


def test_texts_keep_their_own_marks_where_they_are_not_folded() -> None:
    assert labelled("例句：好，很好！", {"example": "例句"}, fold=False) == {"example": "好，很好！"}
    assert labelled("例句：好，很好！", {"example": "例句"}) == {"example": "好,很好!"}
