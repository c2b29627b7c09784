"""Run the tests under every Python that is installed: `make test-pythons`, or `nox`."""

import nox

nox.options.default_venv_backend = "venv"
# A version that is not installed is skipped, with a line that says so.
nox.options.error_on_missing_interpreters = False


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Install the project and run its tests; arguments after -- go to pytest."""
    session.install("--quiet", "--editable", ".[dev]")
    # Machine code differs by version, and a shared folder would hide a failing compilation.
    session.env["LINSPIKE_CACHE_DIR"] = str(session.cache_dir / f"compiled-{session.python}")
    session.run("pytest", "-n", "2", "--dist", "loadfile", *session.posargs)
