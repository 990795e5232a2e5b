# SPDX-License-Identifier: BSD-3-Clause
"""Checks what notebooks and terminals show of a value."""

import unittest
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}svg"
LONGEST_REPR = 300


class Shown(unittest.TestCase):
    def shows(self, value, table="<table"):
        self.assertLess(len(repr(value)), LONGEST_REPR)
        if table is not None:
            page = value._repr_html_()
            self.assertIn(table, page)
            ElementTree.fromstring(f"<div>{page}</div>")
