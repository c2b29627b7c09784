"""Compile everything now, in parallel processes, so that no later start has to.

Processes share the large parts, the largest first. Then one more process calls every compiled
function of the public names once, with every rule: it compiles the small rest.
"""

from __future__ import annotations

import signal
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import click
import numpy as np

from linspike.cli.progress import Display, format_seconds
from linspike.deploy import respond_on_grid
from linspike.encoders import PopulationEncoder
from linspike.estimators import SpikeClassifier, SpikeMapper
from linspike.kernels.cache import cache_folder
from linspike.kernels.jit import load_deferred
from linspike.kernels.training.signatures import load_step, run_batch, run_chain
from linspike.neuron import SRM, graded_counts
from linspike.rules import REGISTRY, Rule, rule_of
from linspike.rules.dta import DTA
from linspike.spikes import (
    SpikeCounts,
    SpikeTimes,
    SpikeTrain,
    match_spikes,
    poisson_patterns,
    van_rossum,
    victor_purpura,
)
from linspike.training import Trainer
from linspike.training.prepare import step_of

TRAINING, REST = "training", "the rest"


def compile_everything(jobs: int) -> None:
    """Compile all kernels and rules in up to `jobs` processes, with progress on stderr."""
    folder = cache_folder()
    if folder is None:
        return  # nothing can be kept; the findings say so
    started = time.perf_counter()
    names = [TRAINING, *REGISTRY]
    with Display("parts") as display:
        display.say(f"compiling {len(names) + 1} parts in {jobs} processes")
        with _start_processes(jobs) as pool:
            futures = {pool.submit(compile_part, name): name for name in names}
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                display.update("compiling", done, len(names) + 1, futures[future])
        # A new process: of two that write an index at the same time, one loses its entry.
        with _start_processes(1) as pool:
            pool.submit(compile_part, REST).result()
    seconds = format_seconds(time.perf_counter() - started)
    click.echo(f"compiled in {seconds}; later starts load it from {folder}", err=True)


def _start_processes(jobs: int) -> ProcessPoolExecutor:
    # A terminal sends Ctrl-C to all processes: the workers end at once, without a word.
    end_quietly = (signal.SIGINT, signal.SIG_DFL)
    return ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, end_quietly)


def compile_part(name: str) -> None:
    """Compile a part in this process: training, a rule, or the rest."""
    if name == TRAINING:
        load_deferred(run_chain)
        load_deferred(run_batch)
    elif name == REST:
        _use_everything()
    else:
        load_step(step_of(rule_of(name, "doctor"))[0])


def _use_everything() -> None:
    """Call every public function that is compiled, on tiny data."""
    _use_neuron()
    variants = [DTA(count_target=target) for target in ("critical", "gradient", "whitened")]
    for rule in [*(rule_of(key, "doctor") for key in REGISTRY), *variants]:
        _use_rule(rule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two epochs are not meant to converge
        _use_estimators()


def _use_neuron() -> None:
    patterns = poisson_patterns(2, n_channels=5, duration=50.0, rate=0.05, rng=0)
    neuron, weights = SRM(), np.full((70, 5), 0.8)
    neuron.respond(weights[0], patterns[0])
    neuron.respond_many(weights, patterns)
    respond_on_grid(neuron, weights, patterns, 1.0)
    neuron.potential(weights[0], patterns[0], [1.0, 2.0])
    neuron.critical_threshold(weights[0], patterns[0], 2)
    neuron.design(patterns[0], [3.0])
    graded_counts(neuron, weights, patterns)
    graded_counts(neuron, weights, patterns, contested=True)
    van_rossum([1.0], [2.0])
    victor_purpura([1.0], [2.0], 5.0)
    match_spikes([1.0], [2.0])


def _use_rule(rule: Rule) -> None:
    patterns = poisson_patterns(2, n_channels=5, duration=50.0, rate=0.1, rng=0)
    trainer, weights = Trainer(SRM(), rule, max_epochs=2), np.full((8, 5), 0.3)
    counts = SpikeCounts([2, 1])
    trainer.fit(weights[0], patterns, counts, history=True)
    trainer.fit_many(weights, patterns, [counts] * 8, seeds=[0] * 8)
    if "times" in rule.targets:
        trainer.fit(weights[0], patterns, SpikeTimes([[20.0], [30.0]]))


def _use_estimators() -> None:
    values, labels = np.random.default_rng(0).random((12, 3)), np.arange(12) % 3
    for code in ("counts", "times"):
        classifier = SpikeClassifier(
            PopulationEncoder(), code=code, spikes=2, max_iter=2, random_state=0
        )
        classifier.fit(values, labels).predict(values)
        classifier.decision_function(values)
    patterns = poisson_patterns(2, n_channels=5, duration=50.0, rate=0.1, rng=0)
    trains = [SpikeTrain([20.0]), SpikeTrain([30.0])]
    SpikeMapper(max_iter=2, random_state=0).fit(patterns, trains).predict(patterns)
