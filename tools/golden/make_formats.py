"""Make formats.json and the files beside it: spikes and a graph as Neo, pynwb and nir write them.

    python -m tools.golden.make_formats

Nothing here uses linspike. The other libraries write formats_neo.mat (Neo's Matlab writer),
formats_nwb.nwb, formats_graph.nir and formats_data.nir; formats.json says what is in them, in the
units of the files.
"""

from datetime import UTC, datetime
from importlib.metadata import version

import neo
import nir
import numpy as np
import pynwb
import quantities as pq
from tests.support.paths import GOLDEN
from tools.golden.cases import make_rng, write_cases

SEED = 20250101
N_TRAINS, N_TRIALS = 3, 4
COMMAND = "python -m tools.golden.make_formats"


def write_neo(rng: np.random.Generator) -> dict[str, object]:
    """Write two segments, in seconds and microseconds, neither of which starts at 0."""
    block = neo.Block(name=COMMAND)
    segments = []
    for unit, scale in (("s", 1.0), ("us", 1e6)):
        start, stop = 2.5 * scale, 3.25 * scale
        trains = [np.sort(rng.uniform(start, stop, 5 + i)) for i in range(N_TRAINS)]
        segment = neo.Segment(name=unit)
        for train in trains:
            times = train * getattr(pq, unit)
            segment.spiketrains.append(neo.SpikeTrain(times, t_start=start, t_stop=stop))
        block.segments.append(segment)
        lists = [train.tolist() for train in trains]
        segments.append({"unit": unit, "start": start, "stop": stop, "trains": lists})
    neo.io.NeoMatlabIO(str(GOLDEN / "formats_neo.mat")).write_block(block)
    return {"name": "neo", "segments": segments}


def write_nwb(rng: np.random.Generator) -> dict[str, object]:
    """Write sorted units and trials with a cue."""
    started = datetime(2025, 1, 1, tzinfo=UTC)
    content = pynwb.NWBFile("golden file of linspike", "formats", started, source_script=COMMAND,
                            source_script_file_name="make_formats.py",
                            file_create_date=started)  # fmt: skip
    trains = [np.sort(rng.uniform(0.0, 20.0, 60)) for _ in range(N_TRAINS)]
    for train in trains:
        content.add_unit(spike_times=train)
    content.add_trial_column("cue_time", "time of the cue, in s")
    content.add_trial_column("side", "a text")
    starts = np.round(4.0 * np.arange(N_TRIALS) + rng.uniform(0.5, 1.0, N_TRIALS), 3)
    cues = np.round(starts + rng.uniform(0.2, 0.5, N_TRIALS), 3)
    for start, cue in zip(starts.tolist(), cues.tolist(), strict=True):
        content.add_trial(start_time=start, stop_time=start + 2.0, cue_time=cue, side="left")
    with pynwb.NWBHDF5IO(str(GOLDEN / "formats_nwb.nwb"), "w") as file:
        file.write(content)
    lists = [train.tolist() for train in trains]
    return {
        "name": "nwb",
        "trains": lists,
        "start_time": starts.tolist(),
        "cue_time": cues.tolist(),
    }


def write_graph(rng: np.random.Generator) -> dict[str, object]:
    """Write a layer in seconds, with an Affine node whose bias is 0, in float32."""
    weights = rng.normal(0.3, 0.5, (2, N_TRAINS)).astype(np.float32)
    numbers = {"tau_syn": 0.004, "tau_mem": 0.016, "r": 0.02, "w_in": 1.5, "v_leak": 0.0,
               "v_threshold": 0.5, "v_reset": 0.0}  # fmt: skip
    nodes = {
        "in": nir.Input({"input": np.array([N_TRAINS])}),
        "fc": nir.Affine(weights, np.zeros(2, np.float32)),
        "lif": nir.CubaLIF(**{name: np.full(2, value) for name, value in numbers.items()}),
        "out": nir.Output({"output": np.array([2])}),
    }
    edges = [("in", "fc"), ("fc", "lif"), ("lif", "out")]
    nir.write(GOLDEN / "formats_graph.nir", nir.NIRGraph(nodes, edges))
    return {"name": "graph", "weights": weights.tolist(), **numbers}


def write_data(rng: np.random.Generator) -> dict[str, object]:
    """Write events and a raster, in seconds."""
    times = np.sort(rng.uniform(0.0, 0.1, (2, 6)), axis=1)
    index = rng.integers(0, N_TRAINS, (2, 6))
    times[1, 4:], index[1, 4:] = np.inf, -1
    raster = rng.random((2, 20, N_TRAINS)) < 0.2
    nodes = {
        "input": nir.NIRNodeData({"spikes": nir.EventData(index, times, N_TRAINS, 0.1)}),
        "lif": nir.NIRNodeData({"spikes": nir.TimeGriddedData(raster, 0.005)}),
    }
    nir.write_data(GOLDEN / "formats_data.nir", nir.NIRGraphData(nodes))
    kept = index >= 0
    return {
        "name": "data",
        "times": [row[keep].tolist() for row, keep in zip(times, kept, strict=True)],
        "channels": [row[keep].tolist() for row, keep in zip(index, kept, strict=True)],
        "t_max": 0.1,
        "raster": raster.astype(int).tolist(),
        "dt": 0.005,
    }


def main() -> None:
    """Write the files, and what is in them."""
    rng = make_rng(SEED)
    cases = [write(rng) for write in (write_neo, write_nwb, write_graph, write_data)]
    versions = {name: version(name) for name in ("neo", "pynwb", "nir", "h5py", "numpy")}
    write_cases("formats", versions, {"seed": SEED}, cases)


if __name__ == "__main__":
    main()
