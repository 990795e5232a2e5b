# SPDX-License-Identifier: BSD-3-Clause
"""Tests tutti.reproduce(): tables and pictures of the papers, and what it refuses."""

import unittest
from xml.etree import ElementTree

import tutti
from shown import SVG, Shown


class Reproduce(Shown):
    def test_reproduce(self):
        table = tutti.reproduce("000-table-12")
        self.shows(table)
        self.assertEqual(table.name, "000-table-12")
        self.assertIn("paper", table.rows.columns)
        self.assertTrue(table.parameters)
        pictures = tutti.reproduce("004-figure-9").pictures
        self.assertTrue(pictures)
        for picture in pictures:
            self.shows(picture, None)
            self.assertEqual(ElementTree.fromstring(picture.svg).tag, SVG)

    def test_an_unknown_table_is_named(self):
        with self.assertRaisesRegex(tutti.InvalidArgument, "000-table-0"):
            tutti.reproduce("000-table-0")


if __name__ == "__main__":
    unittest.main()
