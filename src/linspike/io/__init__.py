"""Other people's formats: Neo, NWB, NIR, and scripts for simulators."""
