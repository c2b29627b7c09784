"""Settings of the documentation site; `make docs` builds it, without network."""

import sys
import tomllib
from importlib.metadata import version as version_of
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "_sphinx"))
# The one place of public addresses; what is empty there has no link here.
ADDRESSES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "linspike"
]["addresses"]

project = "linspike"
author = "linspike contributors"
project_copyright = author
version = release = version_of("linspike")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "repository_links",
    "command_help",
    "docstrings",
    "lab_recording",
]
templates_path = ["_templates"]
exclude_patterns = [
    "gallery/**/*.py",
    "gallery/**/*.ipynb",
    "**/sg_execution_times.rst",
    "sg_execution_times.rst",
]
nitpicky = True
smartquotes = False  # K' is a transpose

repository = ADDRESSES["repository"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say the types
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the templates list them
numpydoc_xref_param_type = False
copybutton_exclude = ".linenos, .gp, .go"
copybutton_prompt_text = "$ "

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"^(?!.*classify_mnist)",  # which needs a download
    "within_subsection_order": "gallery_order.GalleryOrder",
    "doc_module": ("linspike",),
    "backreferences_dir": "gallery/backreferences",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "linspike"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_context = {"default_mode": "auto"}
html_extra_path = ["../results/paper/report.html"]
html_show_sourcelink = False
html_copy_source = False
html_baseurl = ADDRESSES["documentation"]
html_sidebars = {"index": [], "start": [], "theory": []}
html_theme_options = {
    "logo": {"text": "linspike"},
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "footer_start": ["sphinx-version"],
    "footer_end": ["theme-version"],
    **({"github_url": repository} if repository else {}),
}
