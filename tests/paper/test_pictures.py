"""Pictures of the published trials: few lines, short titles."""

from tests.support.paths import ROOT
from tests.support.pictures import check_pictures

from linspike.cli.experiments import REGISTRY
from linspike.paper.common import capacity_rows
from linspike.study.analysis import learning_curves
from linspike.study.analysis.capacity import HalfPoint
from linspike.study.export import read_trials
from linspike.study.store import Store

PUBLISHED = ("paper", "laptop")


def test_published_pictures(tmp_path, monkeypatch):
    # Intervals take long, and do not change what is drawn.
    monkeypatch.setattr(capacity_rows, "find_half_point", lambda _: HalfPoint(1.0, 0.5, 1.5))
    monkeypatch.setattr(learning_curves, "DRAWS", 2)
    with Store(tmp_path / "store.sqlite") as store:
        for scale in PUBLISHED:
            store.take_over(read_trials(ROOT / "results" / scale / "trials.jsonl.gz"))
        for experiment in REGISTRY.load_all():
            found = [(scale, store.trials(experiment, scale)) for scale in PUBLISHED]
            published = [(scale, trials) for scale, trials in found if trials]
            if experiment.heading.place == "Beyond" and not published:
                continue
            scale, trials = published[0]
            summary = experiment.summarise(scale, trials)
            check_pictures(summary)
            assert summary.panels or summary.details or experiment.id == "claims"
