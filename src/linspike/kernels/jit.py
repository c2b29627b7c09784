"""The decorators of compiled code, and the remark that the first start takes longer."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import event
from numba.extending import register_jitable

from linspike.kernels.cache import OptionalCache, cache_folder
from linspike.kernels.notices import say_once

P = ParamSpec("P")
R = TypeVar("R")


class _FirstCompilation(event.Listener):
    """Says once that code is being compiled; code that is loaded from disk makes no event."""

    def on_start(self, event: Any) -> None:
        if isinstance(event.data["dispatcher"]._cache, OptionalCache):
            say_once(
                "compiling for this machine, once (up to a minute); "
                f"later starts load it from {cache_folder()}"
            )

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _FirstCompilation())  # type: ignore[no-untyped-call]


def compiled(function: Callable[..., Any], signature: Any = None, **options: Any) -> Any:
    """Compile with no GIL and IEEE arithmetic, cached on disk where that is possible.

    Parameters
    ----------
    function : callable
        The function.
    signature : numba signature, optional
        Compile for it now, and for no other; unless given, for the arguments of each call.
    options : dict
        Further options of `numba.njit`.
    """
    njit: Any = numba.njit
    dispatcher = njit(**{"nogil": True, "error_model": "numpy", **options})(function)
    if not hasattr(dispatcher, "py_func"):  # compilation is switched off
        return dispatcher
    if cache_folder() is not None:
        try:
            dispatcher._cache = OptionalCache(function)
        except RuntimeError as error:  # a function that was typed in has no file
            if "cannot cache" not in str(error):
                raise
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


class Deferred:
    """A function that is compiled for its one signature when it is first used.

    Importing a rule or the trainer then compiles and loads nothing.

    Parameters
    ----------
    function : callable
        The function.
    signature : numba signature
        Its one signature.
    options : dict
        Further options of `numba.njit`.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._signature, self._options, self._lock = signature, options, threading.Lock()
        self._made: Any = None

    @property
    def dispatcher(self) -> Any:
        """The compiled function, which can be handed to other compiled functions."""
        if self._made is None:
            with self._lock:
                if self._made is None:
                    self._made = compiled(self.py_func, self._signature, **self._options)
        return self._made

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher(*arguments)


class Kernel:
    """A function that other kernels call; Python may call it too.

    Two versions are compiled, each when it is first needed. The one for other kernels has no
    wrappers: to unpack tuples of dozens of arrays takes longer to compile than what most kernels
    do with them. Python calls the other.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.options = options
        bare = types.FunctionType(function.__code__, function.__globals__, function.__name__)
        bare.__defaults__ = function.__defaults__
        bare.__module__ = function.__module__
        # Numba names a cached function by this: each version needs a file of its own.
        bare.__qualname__ = f"{function.__qualname__}_bare"
        no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self._bare = compiled(bare, **no_wrappers, **options)

    @property
    def _numba_type_(self) -> Any:
        return self._bare._numba_type_

    @functools.cached_property
    def wrapped(self) -> Any:
        """The version for Python, which can also be passed as an argument to compiled code."""
        return compiled(self.py_func, **self.options)

    def __call__(self, *arguments: Any) -> Any:
        """Call the version for Python."""
        return self.wrapped(*arguments)


def _make_kernel(function: Callable[..., Any], **options: Any) -> Any:
    compiler_off = bool(getattr(numba.config, "DISABLE_JIT", False))
    return function if compiler_off else Kernel(function, **options)


def deferred(function: Callable[..., Any], signature: Any, **options: Any) -> Callable[..., Any]:
    """Compile to one signature on first call; leave it as it is if compilation is switched off."""
    compiler_off = bool(getattr(numba.config, "DISABLE_JIT", False))
    return function if compiler_off else Deferred(function, signature, **options)


def load_deferred(function: Any) -> None:
    """Compile a deferred function now, or load it from disk."""
    if isinstance(function, Deferred):
        _ = function.dispatcher


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use: no GIL, IEEE arithmetic, cached on disk."""
    made: Callable[P, R] = _make_kernel(function)
    return made


def borrowing(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that counts no references to its arrays.

    It must neither allocate nor return arrays, nor call a kernel that returns some: its arrays
    belong to the caller. Reference counts are atomic. They cost more than most of these kernels'
    work, make threads wait for each other, and would be counted again for every inlined helper.
    """
    made: Callable[P, R] = _make_kernel(function, _nrt=False)
    return made


def passed(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a `borrowing` kernel that is passed to compiled code as an argument."""
    made: Callable[P, R] = compiled(function, _nrt=False)
    return made


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as a part of every kernel that calls it.

    For helpers in hot places that take arrays; the caller is a `borrowing` kernel.
    """
    compiled: Callable[P, R] = numba.njit(nogil=True, error_model="numpy", inline="always")(
        function
    )
    return compiled


def jitable(function: Callable[P, R]) -> Callable[P, R]:
    """Leave a function to Python that calls it, and compile it into kernels that call it.

    For parts of the training loop that take a rule's step: plain Python rules run through the
    same source as compiled ones. As with `borrowing`, arrays are not counted.
    """
    options = {
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
    marked: Callable[P, R] = register_jitable(**options)(function)
    return marked


def host_cpu() -> str:
    """Return the name of the processor that code is compiled for."""
    from llvmlite import binding
    from numba.core import config

    settings: Any = config  # numba sets its names while it runs
    return str(settings.CPU_NAME or binding.get_host_cpu_name())
