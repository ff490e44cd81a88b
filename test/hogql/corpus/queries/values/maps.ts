// Maps of rows.
import type { CorpusQuery } from '../../corpus-query'

export const MAPS: readonly CorpusQuery[] = [
  {
    name: 'numbers of events by name',
    sql: "WITH counts AS (SELECT mapFromArrays(groupArray(event), groupArray(n)) AS m FROM (SELECT event, count() AS n FROM events WHERE event IN ('signup', 'purchase') GROUP BY event ORDER BY event)) SELECT m, m['purchase'], m['none'], mapKeys(m), toTypeName(m) FROM counts",
    columns: ['m', "m['purchase']", "m['none']", 'mapKeys(m)', 'toTypeName(m)'],
    types: ['json', 'integer', 'integer', 'array', 'string'],
    rows: [[{ purchase: 16, signup: 10 }, 16, 0, ['purchase', 'signup'], 'Map(String, Int64)']],
  },
  {
    name: 'a lookup by a column, and a filter',
    sql: "SELECT map('signup', 1, 'purchase', 2)[event] AS step, count() FROM events WHERE mapContains(map('signup', 1, 'purchase', 2), event) GROUP BY step ORDER BY step",
    ordered: true,
    columns: ['step', 'count()'],
    types: ['integer', 'integer'],
    rows: [
      [1, 10],
      [2, 16],
    ],
  },
  {
    name: 'the pairs of a map as rows',
    sql: "SELECT tupleElement(pair, 1) AS k, tupleElement(pair, 2) AS v FROM (SELECT map('a', 1, 'b', 2) AS m) ARRAY JOIN m AS pair ORDER BY k",
    ordered: true,
    columns: ['k', 'v'],
    types: ['string', 'integer'],
    rows: [
      ['a', 1],
      ['b', 2],
    ],
  },
  {
    name: 'maps in a recursion',
    sql: "WITH RECURSIVE r AS (SELECT 1 AS n, map('n', 1) AS m UNION ALL SELECT n + 1, map('n', m['n'] * 2) FROM r WHERE n < 3) SELECT m FROM r ORDER BY n",
    ordered: true,
    columns: ['m'],
    types: ['json'],
    rows: [[{ n: 1 }], [{ n: 2 }], [{ n: 4 }]],
  },
  {
    name: 'maps of a union',
    sql: "SELECT map('a', 1) AS m UNION ALL SELECT map('b', 2.5)",
    columns: ['m'],
    types: ['json'],
    rows: [[{ a: 1 }], [{ b: 2.5 }]],
  },
]
