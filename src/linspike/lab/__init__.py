"""The lab: a local page that shows learning step by step (`linspike lab`).

`service` answers plain data with plain data and knows nothing of the web; `server` serves it.
"""
