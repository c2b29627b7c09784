"""Studies that the paper does not have."""

# Module of each experiment, in the order of the report.
EXPERIMENTS = {
    "ablation": "linspike.beyond.ablation",
    "realdata": "linspike.beyond.realdata",
    "events": "linspike.beyond.events",
}
