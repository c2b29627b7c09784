"""Where commands write: absent folders are made, and a file in their place is refused."""

import pytest
from tests.support import small_mnist
from tests.support.shell import every_command, run

import linspike as ls
from linspike.datasets import download
from linspike.study.store import Store

# By command: its arguments, given a table, a model, a store, a task, and where to write.
CASES = {
    "fit": "{table} --target species --epochs 1 -o {place}/m.npz",
    "predict": "{model} {table} -o {place}/p.csv",
    "certify": "{task}/patterns.npz {task}/targets.npz --out {place}/w.npz",
    "export": "{model} {place}/run.py --to nest",
    "deploy-check": "{model} {table} --dt 1 --plot {place}/check.png",
    "reproduce": "fig1 --jobs 1 --store {place}/s.sqlite",
    "report": "--store {store} --out {place}/page.html",
    "report --files": "--store {store} --out {place}/page.html",
    "store export": "--store {store} --out {place}/all.jsonl",
    "store merge": "{place}/s.sqlite {store}",
    "data mnist": "--data-dir {place}",
}
every_case = pytest.mark.parametrize("command", CASES)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "s.sqlite"
    with Store(path):
        pass
    return path


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    """One pattern and the spikes that some weights give it."""
    folder = tmp_path_factory.mktemp("task")
    pattern = ls.Pattern([1.0, 2.0], [0, 1], 2, 50.0)
    ls.PatternSet.from_patterns([pattern]).save(folder / "patterns.npz")
    ls.SpikeTimes([ls.SRM().respond([0.8, 0.6], pattern)]).save(folder / "targets.npz")
    return folder


@pytest.fixture
def write(table, model, store, task, monkeypatch):
    """A function that runs a command with a place to write to."""
    small_mnist.install(monkeypatch)
    monkeypatch.setattr(download, "_download", _put_empty_file)

    def call(command, place):
        names = {"table": table, "model": model, "store": store, "task": task}
        return run(*command.split(), *CASES[command].format(**names, place=place).split())

    return call


def _put_empty_file(name, folder, tell):
    (folder / name).write_bytes(b"")
    return folder / name


def test_no_command_that_writes_is_left_out():
    found = {
        name
        for name, command in every_command()
        if {"output", "out", "data_dir"} & {parameter.name for parameter in command.params}
    }
    assert {"fit", "predict", "report", "store export", "data mnist"} <= found <= set(CASES)


@every_case
def test_absent_folders_are_made(command, write, tmp_path):
    place = tmp_path / "new" / "folder"
    done = write(command, place)
    assert done.code == 0, done.err
    assert any(path.is_file() for path in place.rglob("*"))


@every_case
def test_a_file_in_place_of_a_folder_is_refused(command, write, tmp_path):
    (tmp_path / "file").write_text("precious")
    done = write(command, tmp_path / "file" / "folder")
    assert done.code == 1
    line = done.err.splitlines()[-1]
    assert line.startswith("linspike: ")
    assert "cannot be written" in line or "cannot be made" in line
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.parametrize("command", ["predict", "report", "store export"])
def test_a_dash_is_standard_output(command, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = CASES[command].replace("{place}/", "")
    name = arguments.split()[-1]
    monkeypatch.setitem(CASES, command, arguments.replace(name, "-"))
    done = write(command, tmp_path)
    assert done.code == 0, done.err
    monkeypatch.setitem(CASES, command, arguments)
    assert write(command, tmp_path).code == 0
    # The page holds the time at which it was made.
    assert len((tmp_path / name).read_text().rstrip()) == len(done.out.rstrip())
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_what_has_no_text_form_needs_a_file(table, store):
    done = run("fit", table, "--target", "species", "-o", "-")
    assert (done.code, done.out) == (2, "")
    assert "A model is no text: give -o the name of a file, not '-'." in done.err
    done = run("certify", "patterns.npz", "targets.npz", "--out", "-")
    assert (done.code, done.out) == (2, "")
    assert "A model is no text: give --out the name of a file, not '-'." in done.err
    done = run("report", "--store", store, "--out", "-", "--files")
    assert (done.code, done.out) == (2, "")
    assert "--files needs a page with a name: give --out a file, not '-'." in done.err


def test_a_program_goes_to_standard_output(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("export", model, "-", "--to", "brian2")
    assert done.code == 0, done.err
    assert run("export", model, "run.py", "--to", "brian2").code == 0
    assert done.out == (tmp_path / "run.py").read_text()
    done = run("export", model, "-", "--to", "nir")
    assert (done.code, done.out) == (2, "")
    assert "A NIR graph is no text: give OUT the name of a file, not '-'." in done.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.py"]
