"""Tables as people have them: what is read, and what is refused with which words."""

import tempfile
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.flowers import write

from linspike.cli.table import csv_table
from linspike.cli.table.cells import join_names
from linspike.cli.table.csv_table import BLOCK, read_table
from linspike.cli.table.labels import as_labels
from linspike.cli.table.lines import Dialect
from linspike.errors import TableError

GAPS = "Rows with missing values: 1 of 2. Fill them in or delete these rows."


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a table into a folder of its own and returns its path."""
    monkeypatch.chdir(tmp_path)

    def write(content):
        path = tmp_path / "t.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path.relative_to(tmp_path)

    return write


@pytest.mark.parametrize(
    "content",
    [
        "a,b,kind\n1,2.5,x\n-3,4e2,y\n",
        "a;b;kind\n1;2.5;x\n-3;4e2;y\n",
        "a\tb\tkind\n1\t2.5\tx\n-3\t4e2\ty\n",
        "a,b,kind\r\n1,2.5,x\r\n-3,4e2,y",
        "a,b,kind\r1,2.5,x\r-3,4e2,y\r",
        b"\xef\xbb\xbfa,b,kind\n1,2.5,x\n-3,4e2,y\n",
        '"a", "b",kind \n 1, 2.5 , x\n\n-3,4e2,"y"\n \n',
    ],
    ids=["comma", "semicolon", "tab", "windows", "old mac", "byte order mark", "spaces"],
)
def test_the_same_table_in_many_forms(written, content):
    table = read_table(written(content), texts=["kind"])
    assert table.names == ("a", "b", "kind")
    assert np.array_equal(table.numbers(["b", "a"]), [[2.5, 1.0], [400.0, -3.0]])
    assert table.texts("kind") == ["x", "y"]


def test_delimiters_in_quotes_do_not_count(written):
    table = read_table(written('"width; of, it; all",b\n1,2\n'))
    assert table.names == ("width; of, it; all", "b")


def test_a_delimiter_that_is_given_is_taken(written):
    assert read_table(written("a,b;c\n1,2;3\n"), Dialect(",")).names == ("a", "b;c")
    assert read_table(written("a,b;c\n1,2;3\n"), Dialect(";")).names == ("a,b", "c")


def test_one_column_needs_no_delimiter(written):
    assert np.array_equal(read_table(written("a\n1\n2\n")).numbers(["a"]), [[1.0], [2.0]])


def test_lines_are_those_of_the_file(written):
    table = read_table(written('a,b\n\n1,"two\nlines"\n3,4\n'))
    assert table.lines.tolist() == [3, 5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.csv is empty."),
        (" \n\n", "t.csv is empty."),
        ("a,b\n", "t.csv has no rows below its first line."),
        ("1,2\n3,4\n", "t.csv has no header: its first line must name the columns"),
        ("a,b,a\n1,2,3\n", "t.csv: columns 1 and 3 have the same name, 'a'."),
        ("5,5,x\n1,2,y\n", "have the same name, '5'. A header line seems to be missing: the fir"),
        ("a,,b\n1,2,3\n", "t.csv: column 2 has no name in the first line."),
        (",b\n1,2\n1,3\n", "t.csv: column 1 has no name in the first line, and is no index: of an"),
        (",b\n0.5,2\n", "t.csv: column 1 has no name in the first line, and is no index: of an"),
        (
            "# one\n#two\n",
            "t.csv holds nothing but comments: every line begins with #. Give --comm",
        ),
        ("#a,b\n1,2\n", "but holds numbers. Line 1 begins with # and is a comment; see --comment."),
        ("a,b\n1,2\n3\n", "t.csv, line 3: the row has 1 cell, but the first line names 2 columns."),
        ("a,b\n1,2,3\n", "t.csv, line 2: the row has 3 cells, but the first line names 2 columns."),
        ('a,b\n1,"2\n3,4\n', "t.csv, line 2: the row cannot be read (unexpected end of data)."),
        (b"a,b\n1,\xff\n", "t.csv, line 2: the text is not in UTF-8 (byte 0xff). Save the file as"),
        ("a,b\n1,2\n".encode("utf-16"), "t.csv, line 1: the text is not in UTF-8 (byte 0xff)."),
        (
            "a,b\n1," + "x" * 200_000,
            "line 2: the row cannot be read (field larger than field limit",
        ),
    ],
)
def test_tables_that_cannot_be_read(written, content, message):
    with pytest.raises(TableError) as caught:
        read_table(written(content))
    assert message in str(caught.value)


def test_files_that_are_not_there(written, tmp_path):
    with pytest.raises(TableError, match="no.csv cannot be read: No such file or directory."):
        read_table(tmp_path / "no.csv")
    with pytest.raises(TableError, match="cannot be read: Is a directory."):
        read_table(tmp_path)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("", f"t.csv, line 3, column 'b': the cell has no value. {GAPS}"),
        ("NaN", f"t.csv, line 3, column 'b': the cell has no value (NaN). {GAPS}"),
        ("N/A", f"t.csv, line 3, column 'b': the cell has no value (N/A). {GAPS}"),
        ("inf", "t.csv, line 3, column 'b': inf is not finite."),
        ("1e999", "t.csv, line 3, column 'b': 1e999 is not finite."),
        ("red", "t.csv, line 3, column 'b': 'red' is not a number."),
        ("1_000", "t.csv, line 3, column 'b': '1_000' is not a number."),
        ("9" * 400, f"{'9' * 37}... is not finite."),
        ("2,5", "'2,5' is not a number. Give --decimal , for decimals with a comma."),
    ],
)
def test_cells_that_are_no_numbers(written, cell, message):
    table = read_table(written(f"a;b\n1;2\n3;{cell}\n"))
    with pytest.raises(TableError) as caught:
        table.numbers(["a", "b"])
    assert str(caught.value).endswith(message)


def test_texts_can_be_left_out(written):
    table = read_table(written("a,the kind\n1,x\n3,y\n"))
    with pytest.raises(TableError) as caught:
        table.numbers(table.names, drop_option="--drop")
    assert str(caught.value).endswith(
        ": 'x' is not a number. Leave the column out with --drop 'the kind'."
    )
    table = read_table(written("a;b\n1;2,5\n3;\n"))
    with pytest.raises(TableError, match="decimals with a comma.$"):
        table.numbers(["b"], drop_option="--drop")
    table = read_table(written("a;b\n1;2\n3;\n"))
    with pytest.raises(
        TableError, match="the cell has no value. .*, or leave the column out with --drop b.$"
    ):
        table.numbers(["b"], drop_option="--drop")


@pytest.mark.parametrize("cell", ["", "nan"])
def test_labels_have_no_gaps(written, cell):
    table = read_table(written(f"a,kind\n1,x\n3,{cell}\n"), texts=["kind"])
    with pytest.raises(TableError, match="line 3, column 'kind': the cell has no value."):
        table.texts("kind")


def test_a_column_that_is_not_there(written):
    table = read_table(written("length,width\n1,2\n"))
    message = "t.csv has no column 'widht'. Did you mean 'width'? It has: length, width."
    with pytest.raises(TableError) as caught:
        table.texts("widht")
    assert str(caught.value) == message
    with pytest.raises(TableError, match="no column 'zzz'. It has"):
        table.numbers(["zzz"])
    index = read_table(written(",width\n0,2\n"))
    with pytest.raises(TableError, match=r"It has: \(unnamed\), width\.$"):
        index.numbers(["zzz"])


def test_a_header_that_seems_to_be_missing(written):
    table = read_table(written("5.1,3.5,setosa\n4.9,3.0,setosa\n"))
    message = (
        "t.csv has no column 'species'. It has: 5.1, 3.5, setosa. "
        "A header line seems to be missing: the first line must name the columns."
    )
    with pytest.raises(TableError) as caught:
        table.texts("species")
    assert str(caught.value) == message
    one_number = read_table(written("2024,width,kind\n4.9,3.0,a\n"))
    with pytest.raises(TableError, match=r"It has: 2024, width, kind\.$"):
        one_number.texts("species")


def test_decimals_with_a_comma(written):
    path = written('a;b;kind\n1,5;-2,5e-1;x\n"2";,5;y\n')
    table = read_table(path, Dialect(decimal=","))
    assert np.array_equal(table.numbers(["a", "b"]), [[1.5, -0.25], [2.0, 0.5]])
    tabs = read_table(written("a\tb\n1,5\t2\n"), Dialect(decimal=","))
    assert np.array_equal(tabs.numbers(["a", "b"]), [[1.5, 2.0]])


@pytest.mark.parametrize("cell", ["1.5", "1.234,5", "1,2,3"])
def test_with_decimal_commas_a_point_is_no_number(written, cell):
    table = read_table(written(f"a;b\n1;{cell}\n"), Dialect(decimal=","))
    with pytest.raises(TableError, match=f"line 2, column 'b': '{cell}' is not a number."):
        table.numbers(["b"])


def test_decimal_commas_in_a_table_with_commas(written):
    message = "t.csv: with --decimal , cells must be separated by semicolons or tabs, but the first"
    with pytest.raises(TableError, match=message):
        read_table(written("a,b\n1,2\n"), Dialect(decimal=","))


def test_comments_and_blank_lines(written):
    content = '\n  # one\n\na,b\n#two\n1,"x\n# inside"\n\n2,#y\n # end'
    table = read_table(written(content), texts=["b"])
    assert table.texts("b") == ["x\n# inside", "#y"]
    assert table.lines.tolist() == [6, 9]
    assert table.n_comments == 3


def test_other_comments_or_none(written):
    path = written("% one\na\n1\n%2\n")
    assert read_table(path, Dialect(comment="%")).cells.tolist() == [[1.0]]
    table = read_table(written("#a,b\n1,2\n"), Dialect(comment=""))
    assert table.names == ("#a", "b")
    with pytest.raises(TableError, match="It has: 1, x. Lines that begin with # were skipped; see"):
        read_table(written("#a,kind\n1,x\n2,y\n")).numbers(["a"])


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
@pytest.mark.parametrize("cells", [("0", "1"), ("17", "3"), ("x", "y")])
def test_the_unnamed_index_of_a_data_frame(written, name, cells):
    table = read_table(written(f"{name},a\n{cells[0]},1\n{cells[1]},2\n"))
    assert table.index == name
    assert table.texts(name) == [*cells]


def test_a_column_that_only_looks_like_an_index(written):
    assert read_table(written("Unnamed: 0,a\n1,1\n1,2\n")).index is None
    assert read_table(written("Unnamed: 0,a\n1.5,1\n2,2\n")).index is None
    assert read_table(written("id,a\n0,1\n1,2\n")).index is None
    assert read_table(written("a,Unnamed: 0\n0,1\n1,2\n")).index is None


def test_the_line_of_a_wrong_byte_far_into_the_file(written):
    content = b"a,b\r\n" + 5000 * b"1.25,2.5\r\n" + b"1,\xe9\r\n"
    with pytest.raises(TableError, match=r"t.csv, line 5002: the text is not in UTF-8 \(byte 0xe9"):
        read_table(written(content))


def test_places_in_later_blocks(written):
    rows = ["1,2"] * (2 * BLOCK) + ["", "na,3", "4,", "x,3"]
    table = read_table(written("\n".join(["a,b", *rows])))
    with pytest.raises(TableError) as caught:
        table.numbers(["b", "a"])
    place = f"t.csv, line {2 * BLOCK + 4}, column 'b': the cell has no value. "
    assert str(caught.value).startswith(f"{place}Rows with missing values: 2 of {2 * BLOCK + 3}.")


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.floats(allow_nan=False, allow_infinity=False), CELLS), min_size=1),
    mark=st.sampled_from(",;\t"),
    block=st.integers(1, 4),
)
def test_what_csv_writes_is_read(rows, mark, block):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_table, "BLOCK", block)
        path = Path(folder) / "t.csv"
        write(path, ["number", "text"], rows, delimiter=mark)
        dialect = Dialect(mark, comment="")
        table = read_table(path, dialect, texts=["text"])
    assert table.numbers(["number"])[:, 0].tolist() == [number for number, _ in rows]
    assert table.texts("text", gaps=True) == [text.strip() for _, text in rows]


def test_reading_takes_little_memory(tmp_path):
    """Rows are held as texts only a block at a time."""
    numbers = np.random.default_rng(0).normal(size=(20_000, 10))
    path = write(tmp_path / "t.csv", [f"x{i}" for i in range(10)], numbers.tolist())
    tracemalloc.start()
    table = read_table(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.array_equal(table.cells, numbers)
    assert peak < 5 * numbers.nbytes  # as lists of texts, more than ten times


@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        (["2", "-1", "+3", "4.0"], [2, -1, 3, 4]),
        (["123456789012345678", "0"], [123456789012345678, 0]),
        (["007", "008"], ["007", "008"]),
        (["1", "b"], ["1", "b"]),
        (["12345678901234567890", "1"], ["12345678901234567890", "1"]),
    ],
)
def test_labels_keep_their_type(texts, labels):
    found = as_labels(texts)
    assert found.tolist() == labels
    assert found.dtype.kind == ("i" if isinstance(labels[0], int) else "U")


def test_long_lists_are_cut():
    assert join_names(range(14)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 2 more"
