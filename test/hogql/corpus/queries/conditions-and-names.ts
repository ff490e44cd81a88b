// CASE, AND and OR, BETWEEN, and what results are called.
import type { CorpusQuery } from '../corpus-query'

export const CONDITIONS_AND_NAMES: readonly CorpusQuery[] = [
  {
    name: 'case when',
    sql: "SELECT CASE WHEN event = 'purchase' THEN 'money' WHEN event LIKE '$%' THEN 'system' ELSE 'other' END AS kind, count() AS total FROM events GROUP BY kind ORDER BY total DESC",
    ordered: true,
    columns: ['kind', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['system', 53],
      ['other', 17],
      ['money', 16],
    ],
  },
  {
    name: 'case of a value',
    sql: "SELECT CASE properties.currency WHEN 'USD' THEN 'dollar' WHEN 'GBP' THEN 'pound' ELSE 'else' END AS name, count() AS total FROM events WHERE event = 'purchase' GROUP BY name ORDER BY name",
    ordered: true,
    columns: ['name', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['dollar', 8],
      ['else', 3],
      ['pound', 5],
    ],
  },
  {
    name: 'case without else',
    sql: "SELECT CASE WHEN event = 'purchase' THEN 'money' END AS kind, count() AS total FROM events GROUP BY kind ORDER BY total",
    ordered: true,
    columns: ['kind', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['money', 16],
      [null, 70],
    ],
  },
  {
    name: 'and, or, not',
    sql: "SELECT countIf(event = 'purchase' AND distinct_id = 'ada' OR event = 'signup') AS a, countIf(event = 'purchase' AND (distinct_id = 'ada' OR event = 'signup')) AS b, countIf(NOT event = 'purchase' AND distinct_id = 'ada') AS c FROM events",
    columns: ['a', 'b', 'c'],
    types: ['integer', 'integer', 'integer'],
    rows: [[14, 4, 12]],
  },
  {
    name: 'between',
    sql: "SELECT count() AS inside, (SELECT count() FROM events WHERE event = 'purchase' AND properties.amount NOT BETWEEN 10 AND 50) AS outside FROM events WHERE event = 'purchase' AND properties.amount BETWEEN 10 AND 50",
    columns: ['inside', 'outside'],
    types: ['integer', 'integer'],
    rows: [[6, 8]],
  },
  {
    name: 'names of results',
    sql: "SELECT count(), 1 + 1, upper(event), event, min(timestamp) FROM events WHERE event = 'Purchase' GROUP BY event",
    columns: ['count()', '1 + 1', 'upper(event)', 'event', 'min(timestamp)'],
    types: ['integer', 'integer', 'string', 'string', 'datetime'],
    rows: [[1, 2, 'PURCHASE', 'Purchase', '2026-03-05T17:00:00Z']],
  },
  {
    name: 'names of results with characters',
    sql: 'SELECT 1 AS `a b`, 2 AS "q""uote", 3 AS `ünï`, 4 AS `;--`',
    columns: ['a b', 'q"uote', 'ünï', ';--'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[1, 2, 3, 4]],
  },
  {
    name: 'two results of one name',
    sql: 'SELECT a.n, b.n FROM (SELECT 1 AS n) AS a CROSS JOIN (SELECT 2 AS n) AS b',
    columns: ['n', 'n'],
    types: ['integer', 'integer'],
    rows: [[1, 2]],
  },
  {
    name: 'comments',
    sql: `
      SELECT /* how many */ count() AS total -- of all
      FROM events /* ; DROP TABLE events */`,
    columns: ['total'],
    types: ['integer'],
    rows: [[86]],
  },
  {
    name: 'lower case keywords and odd spaces',
    sql: `
      select   count( )  as total
      	from events
      where event='purchase'`,
    columns: ['total'],
    types: ['integer'],
    rows: [[16]],
  },
]
