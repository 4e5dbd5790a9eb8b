"""Markdown as documents have it: what is read, and what is a finding."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from carddb.layout.documents.blocks import (
    Code,
    Document,
    Figure,
    Heading,
    Listing,
    Note,
    Paragraph,
    Picture,
    RuleIds,
    Span,
    Table,
    contents,
    names_rows,
    plain,
    rule_ids,
)
from carddb.layout.documents.markdown import parse
from tests.rows import every

WHOLE = """\
# Dykes

Hold the *water* **back**. {D-1}

## Setting up

1. Shuffle & deal. {D-2, D-3}
2. Begin
   on the left.
   - Not twice.

> **Example** One dyke
> breaks {D-4}.

| Dyke | Height |
|---|--:|
| Old | 4 {D-5} |
"""


def test_every_element_becomes_a_block() -> None:
    """Headings, paragraphs, lists within lists, notes with a label and tables are read as what they are."""
    blocks, found = parse(WHOLE)
    assert not found
    assert [type(block) for block in blocks] == [Heading, Paragraph, Heading, Listing, Note, Table]
    title, first, _, listing, note, table = blocks
    assert isinstance(title, Heading) and title.level == 1
    assert isinstance(first, Paragraph)
    assert first.content == (
        Span("Hold the "), Span("water", italic=True), Span(" "), Span("back", bold=True), Span("."),
        RuleIds(("D-1",), 3),
    )  # fmt: skip
    assert isinstance(listing, Listing) and listing.start == 1
    assert [type(block) for block in listing.items[1]] == [Paragraph, Listing]
    assert isinstance(note, Note) and plain(note.label) == "Example"
    assert isinstance(table, Table) and table.align == ("left", "right")


def test_rule_ids_know_their_lines() -> None:
    """Each mark names the line that it was written on, also after a break within a paragraph."""
    blocks, _ = parse(WHOLE)
    assert [(mark.rules, mark.line) for mark in rule_ids(blocks)] == [
        (("D-1",), 3),
        (("D-2", "D-3"), 7),
        (("D-4",), 13),
        (("D-5",), 17),
    ]


@every(
    "text, line, what",
    [
        ("a [link](x)", 1, "a link"),
        ("a [link](other.md)", 1, "a link"),
        ("a\nb ![](x.png)", 2, "a picture"),
        ("a ![](face:A-1)", 1, "a picture"),
        ("![](x.png)", 1, "a picture"),
        ("    code", 1, "an indented block"),
        ("a\n\n```basic\nx\n```", 3, "a block of code called basic"),
        ("***", 1, "a horizontal line"),
        ("#### deep", 1, "a heading of level 4"),
        ("# one\n\n# two", 3, "a second title"),
        ("a  \nb", 1, "a break within a paragraph"),
        ("what {is this}", 1, "{is this}"),
        ("| a |\n|---|\n| ![](b) |", 3, "a picture"),
        ("| a |\n|---|\n| b | c |", 3, "a row of more cells"),
        ("| a | b |\n|---|---|| c | d |", 1, "a table whose head"),
    ],
)
def test_unknown_syntax_is_a_finding(text: str, line: int, what: str) -> None:
    """What a document does not have is left out, and the finding names it and its line."""
    _, found = parse(text, "guide.md")
    assert [(f.code, str(f.where[0])) for f in found] == [("markup_unknown", f"guide.md:{line}")]
    assert found[0].message.startswith(what)


def test_code_is_kept_letter_by_letter() -> None:
    """Spaces, signs and lines of code stay as they are; what a console is told is told from what it answers."""
    blocks, findings = parse("Type `a  *b*`.\n\n```console run\n$ x  --y\n  z {D-1}\n```")
    assert not findings
    words, code = blocks
    assert isinstance(words, Paragraph) and words.content[1] == Span("a *b*", code=True)
    assert isinstance(code, Code) and code.kind == "console"
    assert [(line, code.is_typed(line)) for line in code.lines] == [("$ x  --y", True), ("  z {D-1}", False)]


def test_a_paragraph_of_pictures_is_a_figure() -> None:
    """Pictures that carddb draws stand side by side, each with its words, its caption and its line."""
    blocks, findings = parse('a\n\n![One](face:A-1 "Front")\n![Two](component:x/y?n=5)', "x")
    assert not findings
    figure = blocks[1]
    assert isinstance(figure, Figure)
    assert figure.pictures == (
        Picture("face:A-1", "One", "Front", 3),
        Picture("component:x/y?n=5", "Two", "", 3),
    )


def test_documents_of_a_book_lead_to_each_other() -> None:
    """A link to a file beside this one, or to a section of it, is kept without its folder; others are findings."""
    blocks, findings = parse("a [b *c*](d/e.md#f)", links=True)
    assert not findings
    assert [(part.text, part.link) for part in blocks[0].content] == [("a ", ""), ("b ", "e.md#f"), ("c", "e.md#f")]  # type: ignore[union-attr]
    for address in ("https://example.org", "x.html", "../e.md", "//e.md#%22", "E.md"):
        assert [f.message[:6] for f in parse(f"[b]({address})", links=True)[1]] == ["a link"], address


def test_html_is_words() -> None:
    """Tags are not read; they are words like any others."""
    blocks, found = parse("<script>x</script> <b>y</b> &lt;")
    assert not found
    assert [plain(line) for line in contents(blocks)] == ["<script>x</script> <b>y</b> <"]


def test_lines_may_come_from_elsewhere() -> None:
    """Where a text was made from another, findings name the other's lines."""
    _, findings = parse("a\n\n[b](c)", "x", [10, 20, 30])
    assert findings[0].where[0].line == 30


def test_sections_are_numbered_and_have_anchors_of_their_own() -> None:
    """Two headings of one wording can both be reached; what stands before the first has no number."""
    blocks, _ = parse("before\n\n## Été\n\none\n\n## Été\n\n## !")
    sections = Document("x", blocks).sections
    assert [(part.number, part.title, part.anchor) for part in sections] == [
        (0, "", ""),
        (1, "Été", "ete"),
        (2, "Été", "ete-2"),
        (3, "!", "x"),
    ]


def test_a_column_of_sentences_names_nothing() -> None:
    """A first column is heavier only where it holds names."""
    names, sentences = "A short name", "This cell says at some length what holds in that case"
    table = "| a | b |\n|---|---|\n| {} | x |"
    assert [names_rows(parse(table.format(cell))[0][0]) for cell in (names, sentences)] == [True, False]  # type: ignore[arg-type]


@given(st.text(alphabet="ab#*_>|-{}[]()<`~\n 1.&\u00a0é", max_size=60))
def test_any_text_is_read_or_found_fault_with(text: str) -> None:
    """No text stops the reader, and no letter is lost without a finding."""
    blocks, found = parse(text)
    assert all(f.where[0].line for f in found)
    said = "".join(part.text for line in contents(blocks) for part in line)
    assert found or [said.count(letter) for letter in "abé"] == [text.count(letter) for letter in "abé"]
