# SPDX-License-Identifier: BSD-3-Clause
"""Messages that receives of independent_live.py choose from, and which one comes first."""

from collections import defaultdict

from random_scripts import ANY_KEY, CLASS, LOST_CLASS, ONE_KEY


class Letter:
    """A message with its key, from the moment at which it is sent."""
    def __init__(self, name, key, size, number):
        self.name, self.source, self.key, self.bytes = name, name[1], key, size
        self.number = number if size >= 4 else -1
        self.has_come = self.is_got = self.is_seen = False
        self.may_be_lost = key // 16 == LOST_CLASS
        self.order = None  # among those that are there

    def found(self):
        return [self.source, self.key, self.bytes]


class Selection:
    """Selects messages. A posted receive is one, and then has a letter sooner or later."""
    def __init__(self, source, key, kind, accepts, _):
        self.source, self.key, self.kind, self.accepts = source, key, kind, accepts
        self.names_all = source >= 0 and kind == ONE_KEY and not accepts
        self.letter = None

    def shows(self, letter):
        """Tells whether a look sees a message. A function is asked about all of them."""
        is_hidden = letter.may_be_lost and letter.order is not None
        return not is_hidden and (
            self.selects(letter) or (self.accepts and self.source in (-1, letter.source)))

    def selects(self, letter):
        has_key = {ANY_KEY: True, CLASS: letter.key // 16 == self.key // 16,
                   ONE_KEY: letter.key == self.key}
        return has_key[self.kind] and self.source in (-1, letter.source)


class Mail:
    """The messages of one rank, and its receives that have none."""
    def __init__(self):
        self.sent = defaultdict(list)  # by sender, those that no receive has got
        self.there = 0  # how many messages were there
        self.posted = []

    def first(self, selects):
        """Returns the message that a receive gets that does not name it."""
        firsts = (next(filter(selects, letters), None) for letters in self.sent.values())
        there = [letter for letter in firsts if letter and letter.order is not None]
        return min(there, key=lambda letter: letter.order, default=None)

    def number(self):
        self.there += 1
        return self.there
