// SPDX-License-Identifier: BSD-3-Clause
// Sorts what a search finds: pages to use tutti come before records and what is inside.
const Scorer = {
  score: ([page, , , , score]) =>
    score - (/^(docs\/(internals|measurements|papers)\/|CHANGELOG)/.test(page) ? 20 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2
};
