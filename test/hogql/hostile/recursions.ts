// Recursive CTEs that would not end, or grow.
import type { Attempt } from './attempt'

const stopped: Attempt['outcome'] = { stopped: /recursive CTE/ }
const refused: Attempt['outcome'] = { refused: /./s }

/** Recursive CTEs, each in the first SELECT of another. */
const nested = (times: number): string =>
  Array.from({ length: times }).reduce<string>(
    (inner, _, index) =>
      `WITH RECURSIVE r${index} AS (SELECT n FROM (${inner}) UNION ALL SELECT n + 1 FROM r${index} WHERE n < 3) SELECT n FROM r${index}`,
    'SELECT 1 AS n',
  )

export const RECURSIONS: readonly Attempt[] = [
  {
    name: 'a recursion without an end',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r',
    outcome: stopped,
  },
  {
    name: 'a recursion without an end that one row is read of',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 1',
    outcome: stopped,
  },
  {
    name: 'a recursion of one level too many',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 1001) SELECT n FROM r',
    outcome: stopped,
  },
  {
    name: 'a recursion that returns to where it was',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT 3 - n FROM r) SELECT n FROM r',
    outcome: stopped,
  },
  {
    name: 'rows that double',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r CROSS JOIN numbers(2) AS two WHERE n < 900) SELECT max(n) FROM r',
    outcome: stopped,
  },
  {
    name: 'a first level of too many rows',
    sql: 'WITH RECURSIVE r AS (SELECT number AS n FROM numbers(10001) UNION ALL SELECT n + 1 FROM r WHERE n < 0) SELECT max(n) FROM r',
    outcome: stopped,
  },
  {
    name: 'a text that doubles',
    sql: "WITH RECURSIVE r AS (SELECT 1 AS n, 'xy' AS t UNION ALL SELECT n + 1, concat(t, t) FROM r WHERE n < 40) SELECT max(n) FROM r",
    outcome: stopped,
  },
  {
    name: 'an array that doubles',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n, [1] AS a UNION ALL SELECT n + 1, arrayConcat(a, a) FROM r WHERE n < 40) SELECT max(n) FROM r',
    outcome: stopped,
  },
  {
    name: 'a tuple of a text that doubles',
    sql: "WITH RECURSIVE r AS (SELECT 1 AS n, tuple(1, 'xy') AS t UNION ALL SELECT n + 1, tuple(1, concat(tupleElement(t, 2), tupleElement(t, 2))) FROM r WHERE n < 40) SELECT max(n) FROM r",
    outcome: stopped,
  },
  {
    name: 'an array of arrays of arrays',
    sql: 'WITH RECURSIVE r AS (SELECT [] AS a UNION ALL SELECT [a] FROM r) SELECT a FROM r',
    outcome: refused,
  },
  {
    name: 'recursions in the first levels of others',
    sql: nested(6),
    outcome: { own: 28 },
  },
  { name: 'recursions in the first levels of others, a hundred', sql: nested(100), outcome: refused },
  {
    name: 'a recursion in a step of another',
    sql: 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < (WITH RECURSIVE s AS (SELECT 1 AS m UNION ALL SELECT m + 1 FROM s WHERE m < 9) SELECT max(m) FROM s)) SELECT n FROM r',
    outcome: refused,
  },
  {
    name: 'a name and texts that would end the SQL',
    sql: "WITH RECURSIVE `r) AS (SELECT 1); DROP TABLE events; --`(`c0\"`, `level`) AS (SELECT '\\'); --{x}?1\0' AS a, 1 AS b UNION ALL SELECT concat(`c0\"`, '\\'\\0{'), `level` + 1 FROM `r) AS (SELECT 1); DROP TABLE events; --` WHERE `level` < 2) SELECT `c0\"`, `level` FROM `r) AS (SELECT 1); DROP TABLE events; --` ORDER BY `level`",
    outcome: {
      rows: [
        ["'); --{x}?1\0", 1],
        ["'); --{x}?1\0'{", 2],
      ],
    },
  },
]
