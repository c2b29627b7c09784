"""Studies that the paper does not have."""

# Module of each experiment, in the order of the report.
EXPERIMENTS = {
    "ablation": "linspike.beyond.ablation",
    "realdata": "linspike.beyond.realdata",
    "events": "linspike.beyond.events",
    "signs": "linspike.beyond.signs",
    "delays": "linspike.beyond.delays",
    "layers": "linspike.beyond.layers",
    "jitter": "linspike.beyond.jitter",
    "delay_data": "linspike.beyond.delay_data",
}
