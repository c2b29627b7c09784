"""What a grid simulator or quantised weights would change."""

from linspike.deploy.check import deploy_check
from linspike.deploy.grid import respond_on_grid
from linspike.deploy.quantise import QuantisedWeights, quantise
from linspike.deploy.report import DeployReport, DeployRow

__all__ = [
    "DeployReport",
    "DeployRow",
    "QuantisedWeights",
    "deploy_check",
    "quantise",
    "respond_on_grid",
]
