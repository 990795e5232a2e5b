# SPDX-License-Identifier: BSD-3-Clause
"""Settings of Sphinx for the site, which scripts/build_site.py builds."""
project = "tutti"
author = "the maintainers of tutti"
copyright = "the maintainers of tutti"  # noqa: A001
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_title = "tutti"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_extra_path = ["../extra"]
html_static_path = ["static"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
myst_enable_extensions = []
pygments_style = "friendly"
highlight_language = "text"
# Pages of the manual have their references as links of HTML, which check_site.py follows.
suppress_warnings = ["myst.header"]
