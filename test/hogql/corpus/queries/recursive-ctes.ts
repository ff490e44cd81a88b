// Recursive CTEs.
import type { CorpusQuery } from '../corpus-query'

/** A tree: who reports to whom. */
const TREE =
  "reports AS (SELECT tupleElement(t, 1) AS name, tupleElement(t, 2) AS boss FROM (SELECT arrayJoin([('ada', ''), ('bob', 'ada'), ('cy', 'bob'), ('di', 'bob'), ('ed', 'di')]) AS t))"

export const RECURSIVE_CTES: readonly CorpusQuery[] = [
  {
    name: 'a series',
    sql: 'WITH RECURSIVE steps AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM steps WHERE n < 5) SELECT n FROM steps ORDER BY n',
    ordered: true,
    columns: ['n'],
    types: ['integer'],
    rows: [[1], [2], [3], [4], [5]],
  },
  {
    name: 'as many levels as there may be',
    sql: 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT count(), max(n) FROM r',
    columns: ['count()', 'max(n)'],
    types: ['integer', 'integer'],
    rows: [[1000, 1000]],
  },
  {
    name: 'a tree with its paths',
    sql: `WITH RECURSIVE ${TREE}, tree AS (SELECT name, 0 AS depth, name AS path FROM reports WHERE boss = '' UNION ALL SELECT reports.name, tree.depth + 1, concat(tree.path, ' > ', reports.name) FROM tree JOIN reports ON reports.boss = tree.name) SELECT name, depth, path FROM tree ORDER BY path`,
    ordered: true,
    columns: ['name', 'depth', 'path'],
    types: ['string', 'integer', 'string'],
    rows: [
      ['ada', 0, 'ada'],
      ['bob', 1, 'ada > bob'],
      ['cy', 2, 'ada > bob > cy'],
      ['di', 2, 'ada > bob > di'],
      ['ed', 3, 'ada > bob > di > ed'],
    ],
  },
  {
    name: 'a tree whose CTE is joined second, from the leaf to the root',
    sql: `WITH RECURSIVE ${TREE}, up AS (SELECT name, boss FROM reports WHERE name = 'ed' UNION ALL SELECT reports.name, reports.boss FROM reports JOIN up ON up.boss = reports.name) SELECT groupArray(name) FROM (SELECT name FROM up ORDER BY name)`,
    columns: ['groupArray(name)'],
    types: ['array'],
    rows: [[['ada', 'bob', 'di', 'ed']]],
  },
  {
    name: 'rows without a match in an outer join',
    sql: `WITH RECURSIVE ${TREE}, tree AS (SELECT 'ada' AS name, 1 AS n UNION ALL SELECT reports.name, tree.n + 1 FROM tree LEFT JOIN reports ON reports.boss = tree.name WHERE tree.n < 4 AND tree.name IS NOT NULL) SELECT n, count(), count(name) FROM tree GROUP BY n ORDER BY n`,
    ordered: true,
    columns: ['n', 'count()', 'count(name)'],
    types: ['integer', 'integer', 'integer'],
    rows: [
      [1, 1, 1],
      [2, 1, 1],
      [3, 2, 2],
      [4, 2, 1],
    ],
  },
  {
    name: 'types that later levels widen',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n, 1 AS half, NULL AS before UNION ALL SELECT n + 1, half / 2, n FROM r WHERE n < 3) SELECT n, half, before FROM r ORDER BY n',
    ordered: true,
    columns: ['n', 'half', 'before'],
    types: ['integer', 'float', 'integer'],
    rows: [
      [1, 1, null],
      [2, 0.5, 1],
      [3, 0.25, 2],
    ],
  },
  {
    name: 'days in a time zone',
    sql: "WITH RECURSIVE days AS (SELECT toDateTime('2026-03-28 00:00:00') AS day, toDate('2026-03-28') AS date UNION ALL SELECT day + INTERVAL 1 DAY, date + INTERVAL 1 DAY FROM days WHERE date < toDate('2026-03-30')) SELECT day, date FROM days ORDER BY day",
    timezone: 'Europe/Berlin',
    ordered: true,
    columns: ['day', 'date'],
    types: ['datetime', 'date'],
    rows: [
      ['2026-03-28T00:00:00+01:00', '2026-03-28'],
      ['2026-03-29T00:00:00+01:00', '2026-03-29'],
      ['2026-03-30T00:00:00+02:00', '2026-03-30'],
    ],
  },
  {
    name: 'arrays that grow',
    sql: 'WITH RECURSIVE r AS (SELECT [1] AS list UNION ALL SELECT arrayPushBack(list, length(list) + 1) FROM r WHERE length(list) < 3) SELECT list FROM r ORDER BY length(list)',
    ordered: true,
    columns: ['list'],
    types: ['array'],
    rows: [[[1]], [[1, 2]], [[1, 2, 3]]],
  },
  {
    name: 'several first rows, several steps, and a CTE of its own',
    sql: 'WITH RECURSIVE r AS (WITH top AS (SELECT 20 AS most) SELECT 1 AS n UNION ALL SELECT 3 UNION ALL SELECT n * 10 FROM r WHERE n < (SELECT most FROM top) UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n, count() FROM r GROUP BY n ORDER BY n',
    ordered: true,
    columns: ['n', 'count()'],
    types: ['integer', 'integer'],
    rows: [
      [1, 1],
      [2, 1],
      [3, 2],
      [10, 1],
      [20, 1],
      [30, 2],
      [100, 1],
    ],
  },
  {
    name: 'an array joined in a step',
    sql: "WITH RECURSIVE r AS (SELECT 'a' AS word UNION ALL SELECT concat(word, letter) FROM r ARRAY JOIN ['x', 'y'] AS letter WHERE length(word) < 3) SELECT word FROM r ORDER BY word",
    ordered: true,
    columns: ['word'],
    types: ['string'],
    rows: [['a'], ['ax'], ['axx'], ['axy'], ['ay'], ['ayx'], ['ayy']],
  },
  {
    name: 'events of days that a recursion gives, days without events too',
    sql: "WITH RECURSIVE r AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 2) SELECT r.n, count(e.event) > 0 FROM r LEFT JOIN (SELECT event, length(event) AS size FROM events WHERE event = 'signup') AS e ON e.size = r.n + 5 GROUP BY r.n ORDER BY r.n",
    ordered: true,
    columns: ['n', 'count(e.event) > 0'],
    types: ['integer', 'integer'],
    rows: [
      [0, 0],
      [1, 1],
      [2, 0],
    ],
  },
  {
    name: 'a CTE that is read twice, and by IN',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n * 2 FROM r WHERE n < 16) SELECT a.n FROM r AS a JOIN r AS b ON b.n = a.n * 4 WHERE a.n IN (SELECT n FROM r WHERE n > 1) ORDER BY a.n',
    ordered: true,
    columns: ['n'],
    types: ['integer'],
    rows: [[2], [4]],
  },
  {
    name: 'RECURSIVE without recursion',
    sql: 'WITH RECURSIVE a AS (SELECT 1 AS n), b AS (SELECT n + 1 AS n FROM a) SELECT n FROM b',
    columns: ['n'],
    types: ['integer'],
    rows: [[2]],
  },
]
