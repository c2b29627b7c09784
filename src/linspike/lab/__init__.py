"""The lab: a local page that shows learning step by step (`linspike lab`).

`service` takes plain data, returns plain data and knows nothing of the web; `server` serves it.
"""
