// Unions, intersections, differences, and common table expressions.
import type { CorpusQuery } from '../corpus-query'

export const SETS_AND_CTES: readonly CorpusQuery[] = [
  {
    name: 'union all keeps all',
    sql: 'SELECT 1 AS n UNION ALL SELECT 2 AS n UNION ALL SELECT 1 AS n',
    columns: ['n'],
    types: ['integer'],
    rows: [[1], [2], [1]],
  },
  {
    name: 'union distinct keeps one',
    sql: 'SELECT 1 AS n UNION DISTINCT SELECT 2 AS n UNION DISTINCT SELECT 1 AS n',
    columns: ['n'],
    types: ['integer'],
    rows: [[1], [2]],
  },
  {
    name: 'eight terms',
    sql: "SELECT 0 AS n, 'term 0' AS name UNION ALL SELECT 1 AS n, 'term 1' AS name UNION ALL SELECT 2 AS n, 'term 2' AS name UNION ALL SELECT 3 AS n, 'term 3' AS name UNION ALL SELECT 4 AS n, 'term 4' AS name UNION ALL SELECT 5 AS n, 'term 5' AS name UNION ALL SELECT 6 AS n, 'term 6' AS name UNION ALL SELECT 7 AS n, 'term 7' AS name",
    columns: ['n', 'name'],
    types: ['integer', 'string'],
    rows: [
      [0, 'term 0'],
      [1, 'term 1'],
      [2, 'term 2'],
      [3, 'term 3'],
      [4, 'term 4'],
      [5, 'term 5'],
      [6, 'term 6'],
      [7, 'term 7'],
    ],
  },
  {
    name: 'eight distinct terms',
    sql: 'SELECT count() AS total, sum(n) AS sum FROM (SELECT 0 AS n UNION DISTINCT SELECT 1 AS n UNION DISTINCT SELECT 2 AS n UNION DISTINCT SELECT 0 AS n UNION DISTINCT SELECT 1 AS n UNION DISTINCT SELECT 2 AS n UNION DISTINCT SELECT 0 AS n UNION DISTINCT SELECT 1 AS n)',
    columns: ['total', 'sum'],
    types: ['integer', 'integer'],
    rows: [[3, 3]],
  },
  {
    name: 'intersect',
    sql: 'SELECT number AS n FROM numbers(5) INTERSECT SELECT number + 3 AS n FROM numbers(5)',
    columns: ['n'],
    types: ['integer'],
    rows: [[3], [4]],
  },
  {
    name: 'except',
    sql: 'SELECT number AS n FROM numbers(5) EXCEPT SELECT number + 3 AS n FROM numbers(5)',
    columns: ['n'],
    types: ['integer'],
    rows: [[0], [1], [2]],
  },
  {
    name: 'people who did both',
    sql: "SELECT count() AS people FROM (SELECT DISTINCT person_id FROM events WHERE event = 'export' INTERSECT SELECT DISTINCT person_id FROM events WHERE event = 'purchase')",
    columns: ['people'],
    types: ['integer'],
    rows: [[3]],
  },
  {
    name: 'people who did one and not the other',
    sql: "SELECT DISTINCT person_id FROM events WHERE event = 'signup' EXCEPT SELECT DISTINCT person_id FROM events WHERE event = 'purchase'",
    columns: ['person_id'],
    types: ['string'],
    rows: [['aaaaaaaa-0000-4000-8000-000000000005'], ['aaaaaaaa-0000-4000-8000-000000000006']],
  },
  {
    name: 'first of each kind by union',
    sql: `
      SELECT 'first' AS which, min(timestamp) AS at FROM events WHERE event = 'purchase'
      UNION ALL SELECT 'last' AS which, max(timestamp) AS at FROM events WHERE event = 'purchase'`,
    columns: ['which', 'at'],
    types: ['string', 'datetime'],
    rows: [
      ['first', '2026-01-15T10:00:00Z'],
      ['last', '2026-03-19T09:30:00Z'],
    ],
  },
  {
    name: 'an order over a union',
    sql: "SELECT n, name FROM (SELECT 3 AS n, 'c' AS name UNION ALL SELECT 1 AS n, 'a' AS name UNION ALL SELECT 2 AS n, 'b' AS name) ORDER BY n DESC",
    ordered: true,
    columns: ['n', 'name'],
    types: ['integer', 'string'],
    rows: [
      [3, 'c'],
      [2, 'b'],
      [1, 'a'],
    ],
  },
  {
    name: 'a union of what is counted',
    sql: `
      SELECT kind, total FROM (
        SELECT 'events' AS kind, count() AS total FROM events
        UNION ALL SELECT 'persons' AS kind, count() AS total FROM persons
        UNION ALL SELECT 'ids' AS kind, count() AS total FROM person_distinct_ids
        UNION ALL SELECT 'groups' AS kind, count() AS total FROM groups
        UNION ALL SELECT 'sessions' AS kind, count() AS total FROM sessions
        UNION ALL SELECT 'cohort' AS kind, count() AS total FROM cohort_people
      ) ORDER BY kind`,
    ordered: true,
    columns: ['kind', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['cohort', 3],
      ['events', 86],
      ['groups', 4],
      ['ids', 18],
      ['persons', 12],
      ['sessions', 30],
    ],
  },
  {
    name: 'a union of integers and floats',
    sql: 'SELECT sum(n) AS total FROM (SELECT 1 AS n UNION ALL SELECT 2.5 AS n)',
    columns: ['total'],
    types: ['float'],
    rows: [[3.5]],
  },
  {
    name: 'a union with nulls',
    sql: "SELECT count() AS rows, count(x) AS there FROM (SELECT 'a' AS x UNION ALL SELECT NULL AS x)",
    columns: ['rows', 'there'],
    types: ['integer', 'integer'],
    rows: [[2, 1]],
  },
  {
    name: 'a common table expression',
    sql: "WITH buyers AS (SELECT DISTINCT person_id FROM events WHERE event = 'purchase') SELECT count() AS total FROM buyers",
    columns: ['total'],
    types: ['integer'],
    rows: [[8]],
  },
  {
    name: 'an expression used twice',
    sql: `
      WITH daily AS (SELECT toDate(timestamp) AS day, count() AS total FROM events GROUP BY day)
      SELECT a.day AS day, a.total AS total FROM daily AS a WHERE a.total = (SELECT max(total) FROM daily) ORDER BY day`,
    ordered: true,
    columns: ['day', 'total'],
    types: ['date', 'integer'],
    rows: [
      ['2026-02-20', 4],
      ['2026-02-23', 4],
      ['2026-03-03', 4],
      ['2026-03-08', 4],
      ['2026-03-11', 4],
    ],
  },
  {
    name: 'an expression joined with itself',
    sql: `
      WITH counts AS (SELECT event, count() AS total FROM events GROUP BY event)
      SELECT a.event AS more, b.event AS fewer FROM counts AS a INNER JOIN counts AS b ON a.total = b.total + 1 ORDER BY more, fewer`,
    ordered: true,
    columns: ['more', 'fewer'],
    types: ['string', 'string'],
    rows: [['signup', '$feature_flag_called']],
  },
  {
    name: 'expressions that build on each other',
    sql: `
      WITH
        purchases AS (SELECT person_id, properties.amount AS amount FROM events WHERE event = 'purchase'),
        totals AS (SELECT person_id, sum(amount) AS total FROM purchases GROUP BY person_id),
        big AS (SELECT person_id FROM totals WHERE total > 100)
      SELECT p.properties.name AS name FROM big INNER JOIN persons AS p ON p.id = big.person_id ORDER BY name`,
    ordered: true,
    columns: ['name'],
    types: ['string'],
    rows: [['Ada Lovelace'], ['Grace Hopper'], ['裕子']],
  },
  {
    name: 'an expression in a subquery',
    sql: "WITH names AS (SELECT DISTINCT event FROM events) SELECT count() AS total FROM (SELECT event FROM names WHERE event LIKE '$%')",
    columns: ['total'],
    types: ['integer'],
    rows: [[3]],
  },
  {
    name: 'an expression of its own inside a subquery',
    sql: 'SELECT total FROM (WITH x AS (SELECT count() AS total FROM persons) SELECT total FROM x)',
    columns: ['total'],
    types: ['integer'],
    rows: [[12]],
  },
  {
    name: 'a constant in front',
    sql: "WITH 10 AS threshold SELECT count() AS total FROM events WHERE event = 'purchase' AND properties.amount > threshold",
    columns: ['total'],
    types: ['integer'],
    rows: [[11]],
  },
  {
    name: 'an expression named like a table',
    sql: "WITH persons AS (SELECT 'only one' AS name) SELECT name FROM persons",
    columns: ['name'],
    types: ['string'],
    rows: [['only one']],
  },
  {
    name: 'an expression named like a table that reads it',
    sql: "WITH purchases AS (SELECT * FROM events WHERE event = 'purchase') SELECT count() AS total, sum(properties.amount) AS revenue FROM purchases",
    columns: ['total', 'revenue'],
    types: ['integer', 'float'],
    rows: [[16, 1672.73]],
  },
  {
    name: 'distinct rows',
    sql: "SELECT DISTINCT event, properties.$browser AS browser FROM events WHERE distinct_id = 'ada' ORDER BY event, browser",
    ordered: true,
    columns: ['event', 'browser'],
    types: ['string', 'string'],
    rows: [
      ['$autocapture', null],
      ['$feature_flag_called', null],
      ['$pageview', 'Chrome'],
      ['$pageview', 'Safari'],
      ['export', null],
      ['purchase', null],
      ['signup', null],
    ],
  },
  {
    name: 'order by in each term',
    sql: 'SELECT e FROM (SELECT event AS e FROM events GROUP BY e ORDER BY count() DESC, e LIMIT 1) UNION ALL SELECT e FROM (SELECT event AS e FROM events GROUP BY e ORDER BY count(), e LIMIT 1)',
    columns: ['e'],
    types: ['string'],
    rows: [['$pageview'], ['Purchase']],
  },
  {
    name: 'except, and then more',
    sql: 'SELECT 1 AS id EXCEPT SELECT 2 AS id UNION ALL SELECT 3 AS id',
    columns: ['id'],
    types: ['integer'],
    rows: [[1], [3]],
  },
]
