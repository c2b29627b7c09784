"""Public names, once: type checkers read them here, and the package loads them from here."""

from linspike import constraints as constraints
from linspike import rules as rules
from linspike import study as study
from linspike.encoders import LatencyEncoder as LatencyEncoder
from linspike.encoders import PopulationEncoder as PopulationEncoder
from linspike.encoders import RasterEncoder as RasterEncoder
from linspike.errors import FileFormatError as FileFormatError
from linspike.errors import LinspikeError as LinspikeError
from linspike.errors import MissingExtraError as MissingExtraError
from linspike.errors import ParameterError as ParameterError
from linspike.errors import RunawayWarning as RunawayWarning
from linspike.errors import SpikeDataError as SpikeDataError
from linspike.estimators import SpikeClassifier as SpikeClassifier
from linspike.estimators import SpikeMapper as SpikeMapper
from linspike.estimators import load_model as load_model
from linspike.neuron import SRM as SRM
from linspike.neuron import CriticalThreshold as CriticalThreshold
from linspike.neuron import Responses as Responses
from linspike.neuron import graded_counts as graded_counts
from linspike.plotting import plot_before_after as plot_before_after
from linspike.plotting import plot_learning as plot_learning
from linspike.plotting import plot_potential as plot_potential
from linspike.plotting import plot_raster as plot_raster
from linspike.rules import Rule as Rule
from linspike.rules import rule_step as rule_step
from linspike.rules.dta import DTA as DTA
from linspike.spikes import Alignment as Alignment
from linspike.spikes import Pattern as Pattern
from linspike.spikes import PatternSet as PatternSet
from linspike.spikes import SpikeCounts as SpikeCounts
from linspike.spikes import SpikeMatch as SpikeMatch
from linspike.spikes import SpikeTimes as SpikeTimes
from linspike.spikes import SpikeTrain as SpikeTrain
from linspike.spikes import jitter as jitter
from linspike.spikes import match_spikes as match_spikes
from linspike.spikes import poisson_patterns as poisson_patterns
from linspike.spikes import poisson_trains as poisson_trains
from linspike.spikes import van_rossum as van_rossum
from linspike.spikes import victor_purpura as victor_purpura
from linspike.spikes import vrd_bound as vrd_bound
from linspike.training import FitResult as FitResult
from linspike.training import History as History
from linspike.training import Model as Model
from linspike.training import Trainer as Trainer

__version__: str
