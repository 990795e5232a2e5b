# SPDX-License-Identifier: BSD-3-Clause
"""Settings of Sphinx for the site, whose pages are the Markdown files of the tree, where they lie.
With the tag `manual` they are those for the manual pages, which need no extension but MyST."""
import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

project, copyright = "tutti", ""  # noqa: A001
smartquotes = False
highlight_language = "text"
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
extensions = ["myst_parser", "manual", "man_builder"]
root_doc = "man/tutti.1"
include_patterns = ["man/*.[1357]*.md"]
exclude_patterns = ["[!m]*"]

if not tags.has("manual"):  # noqa: F821
    extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design", "autoapi.extension", "manual",
                  "site_pages"]
    root_doc = "README"
    include_patterns = ["*.md", "docs/**", "examples/**", "man/**"]
    exclude_patterns = ["build", ".*", "src", "include", "tests", "papers", "packaging", "python",
                        "**/.ipynb_checkpoints"]
    suppress_warnings = ["myst.header", "autoapi.python_import_resolution",
                         "misc.highlighting_failure"]
    # Without the Python package, the notebooks are pages without what their cells show.
    nb_execution_mode = "force" if os.environ.get("TUTTI_SITE_PACKAGE") else "off"
    nb_execution_timeout, nb_execution_raise_on_error, nb_merge_streams = 300, True, True
    nb_execution_in_temp = True  # notebooks write files
    pygments_style = "friendly"
    # autoapi's parser gives up a function of __init__.py that is no part of the interface.
    warnings.filterwarnings("ignore", message="Astroid was unable")
    autoapi_dirs, autoapi_file_patterns = [str(ROOT / "python/tutti")], ["*.pyi", "*.py"]
    autoapi_generate_api_docs = autoapi_add_toctree_entry = False
    copybutton_selector = "div:not(.highlight-output) > .highlight > pre"
    html_theme, html_title = "furo", "tutti"
    html_favicon, html_search_scorer = str(HERE / "favicon.svg"), str(HERE / "scorer.js")
    html_static_path, html_css_files = [str(HERE / "static")], ["site.css"]
    html_show_sphinx = html_show_copyright = False
    html_sourcelink_suffix = ""
