"""README: short, its code runs and prints what it shows, its links lead somewhere."""

import re

from tests.support.paths import ROOT

README = ROOT / "README.md"
MOST_WORDS = 500
MOST_ROWS = 8
BLOCK = re.compile(r"```(\w*)\n(.*?)```\n", flags=re.DOTALL)


def prose_of(text):
    """Text without code, tables, markers, pictures and addresses of links."""
    text = BLOCK.sub("", text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def words_of(text):
    return [word for word in prose_of(text).split() if re.search(r"\w", word)]


def test_the_code_prints_what_is_shown(capsys):
    blocks = BLOCK.findall(README.read_text())
    shown = [i for i, (language, _) in enumerate(blocks) if language == "python"]
    assert len(shown) == 2
    for i in shown:
        exec(compile(blocks[i][1], str(README), "exec"), {})
        assert blocks[i + 1][0] == "text"
        assert capsys.readouterr().out == blocks[i + 1][1]


def test_the_code_is_short():
    code = [block for language, block in BLOCK.findall(README.read_text()) if language == "python"]
    lengths = [len([line for line in block.splitlines() if line.strip()]) for block in code]
    assert lengths[0] <= 12
    assert lengths[1] <= 5


def test_words_are_counted_as_a_reader_would():
    text = (
        "One [two](three.md) <!-- number: four -->5<!-- end -->, - six.\n| seven |\n```\n8\n```\n"
    )
    assert words_of(text) == ["One", "two", "5,", "six."]


def test_the_readme_is_short():
    assert len(words_of(README.read_text())) <= MOST_WORDS


def test_there_is_one_table():
    lines = README.read_text().splitlines()
    table = [i for i, line in enumerate(lines) if line.startswith("|")]
    assert table == list(range(table[0], table[-1] + 1))
    assert len(table) - 2 <= MOST_ROWS


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text()):
        if not target.startswith("https://"):
            assert (ROOT / target).exists(), target


def test_nothing_is_left_to_fill_in():
    root = README.parent
    for path in [README, *root.glob("*.md"), *root.glob("docs/**/*.md")]:
        assert "@@" not in path.read_text(), path
