"""The command line, as a user calls it."""

import json
import os
import subprocess
import sys
from importlib import metadata

import pytest
from tests.support import shell
from tests.support.shell import every_command

from linspike.cli import doctor
from linspike.cli.app import COMMANDS, cli
from linspike.kernels import cache, notices


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-c", "from linspike.cli import main; main()", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_version():
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == f"linspike, version {metadata.version('linspike')}"


def test_as_a_module():
    command = [sys.executable, "-m", "linspike", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == f"linspike, version {metadata.version('linspike')}"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_the_commands(flag):
    done = run(flag)
    assert done.returncode == 0
    assert "doctor" in done.stdout


def test_help_loads_no_command():
    script = (
        "import sys; from linspike.cli.app import cli; cli(['--help'], standalone_mode=False);"
        "print(sorted({'numpy', 'numba', 'linspike.study'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_every_command_and_option_has_a_help_text():
    found = dict(every_command())
    assert {"data mnist", "store merge", "store export"} < set(found)
    for name, command in found.items():
        assert command.help, name
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.help.endswith("."), f"{name} {parameter.name}"


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_have_the_names_they_are_found_by(name):
    assert cli.get_command(None, name).name == name
    assert COMMANDS[name].help.endswith(".")


def test_unknown_command_is_a_usage_error():
    done = run("docter")
    assert done.returncode == 2
    assert "No such command 'docter'" in done.stderr
    assert done.stdout == ""


def test_doctor():
    done = run("doctor", LINSPIKE_DATA_DIR="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "first spike" in done.stdout
    assert "PROBLEM" not in done.stdout
    assert f"{cache.cache_folder()}: " in done.stdout
    assert "brian2" in done.stdout
    if "absent" in done.stdout:
        assert "linspike[peers]" in done.stdout


def test_doctor_as_json(tmp_path):
    (tmp_path / "mnist").mkdir()
    done = run("doctor", "--json", LINSPIKE_DATA_DIR=str(tmp_path))
    report = json.loads(done.stdout)
    assert report["schema"] == 1
    found = {row["name"]: row for row in report["findings"]}
    assert found["linspike"]["value"] == metadata.version("linspike")
    assert found["LINSPIKE_DATA_DIR"]["value"].endswith("mnist")
    assert found["matplotlib"]["topic"] == "extra report"


def test_doctor_reports_problems_with_status_one(tmp_path):
    done = run("doctor", LINSPIKE_DATA_DIR=str(tmp_path / "absent"))
    assert done.returncode == 1
    assert "is not a folder" in done.stdout
    assert "PROBLEM" in done.stdout


def test_doctor_without_a_place_for_compiled_code(tmp_path, monkeypatch):
    """In this process, where all is compiled already; see tests/kernels/test_cache.py for others."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(blocked))
    monkeypatch.delenv("LINSPIKE_QUIET")
    monkeypatch.setattr(notices, "_said", set())
    cache.cache_folder.cache_clear()
    try:
        done = shell.run("doctor")
    finally:
        cache.cache_folder.cache_clear()
    assert done.code == 1
    where = f"none: {blocked / 'linspike-numba'} is not writable: compiles at every start"
    assert where in " ".join(done.out.split())
    assert "first spike" in done.out
    assert done.err.count("LINSPIKE_CACHE_DIR") == len(done.err.splitlines()) == 1


def test_doctor_says_when_the_compiler_is_off():
    done = run("doctor", NUMBA_DISABLE_JIT="1", LINSPIKE_DATA_DIR="")
    assert done.returncode == 1
    assert "switched off (NUMBA_DISABLE_JIT)" in done.stdout


def test_findings_inside_this_process():
    findings = doctor.examine()
    assert {finding.topic for finding in findings} >= {"versions", "machine", "engine", "data"}
    assert doctor.is_healthy([doctor.Finding("a", "b", "c", None)])
    assert not doctor.is_healthy([doctor.Finding("a", "b", "c", False)])
