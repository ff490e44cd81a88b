// Joins, scalar subqueries, EXISTS, IN, queries in FROM.
import type { CorpusQuery } from '../corpus-query'

export const JOINS_AND_SUBQUERIES: readonly CorpusQuery[] = [
  {
    name: 'offset without a limit behind LIMIT BY, in a subquery',
    sql: 'SELECT count() AS n, min(number) AS least FROM (SELECT number FROM numbers(6) ORDER BY number LIMIT 1 BY number % 3 OFFSET 1)',
    columns: ['n', 'least'],
    types: ['integer', 'integer'],
    rows: [[2, 1]],
  },
  ...(
    [
      // NULL is NULL in WHERE, as in every comparison but that of ON.
      ['of WHERE', ', $b WHERE a.n = b.n', 3],
      ['of WHERE beside ON', 'JOIN $b ON a.m = b.m WHERE a.n = b.n', 3],
      ['of ON', 'JOIN $b ON a.n = b.n', 2],
      ['of ON and WHERE', 'JOIN $b ON a.n = b.n WHERE a.m = b.m', 2],
      ['of ON as values', 'JOIN $b ON a.n IS NOT DISTINCT FROM b.n', 3],
      ['of an outer join as values', 'LEFT JOIN $b ON a.n IS NOT DISTINCT FROM b.n + 1', 3],
      ['of values that differ', 'JOIN $b ON a.m = b.m AND a.n IS DISTINCT FROM b.n', 0],
    ] as const
  ).map(([name, joined, rows]) => ({
    name: `equality ${name}, with NULL on both sides`,
    sql: `SELECT count() AS n FROM $a ${joined}`.replaceAll(
      /\$([ab])/g,
      '(SELECT number AS m, nullIf(number, 1) AS n FROM numbers(3)) AS $1',
    ),
    columns: ['n'],
    types: ['integer' as const],
    rows: [[rows]],
  })),
  {
    name: 'inner join',
    sql: "SELECT l.id AS id, l.name AS a, r.name AS b FROM (SELECT number AS id, concat('l', toString(number)) AS name FROM numbers(3)) AS l INNER JOIN (SELECT number + 1 AS id, concat('r', toString(number + 1)) AS name FROM numbers(3)) AS r ON l.id = r.id ORDER BY id",
    ordered: true,
    columns: ['id', 'a', 'b'],
    types: ['integer', 'string', 'string'],
    rows: [
      [1, 'l1', 'r1'],
      [2, 'l2', 'r2'],
    ],
  },
  {
    name: 'left join',
    sql: "SELECT l.id AS id, r.name AS b, r.id IS NULL AS lonely FROM (SELECT number AS id, concat('l', toString(number)) AS name FROM numbers(3)) AS l LEFT JOIN (SELECT number + 1 AS id, concat('r', toString(number + 1)) AS name FROM numbers(3)) AS r ON l.id = r.id ORDER BY id",
    ordered: true,
    columns: ['id', 'b', 'lonely'],
    types: ['integer', 'string', 'integer'],
    rows: [
      [0, null, 1],
      [1, 'r1', 0],
      [2, 'r2', 0],
    ],
  },
  {
    name: 'right join',
    sql: "SELECT r.id AS id, l.name AS a FROM (SELECT number AS id, concat('l', toString(number)) AS name FROM numbers(3)) AS l RIGHT JOIN (SELECT number + 1 AS id, concat('r', toString(number + 1)) AS name FROM numbers(3)) AS r ON l.id = r.id ORDER BY id",
    ordered: true,
    columns: ['id', 'a'],
    types: ['integer', 'string'],
    rows: [
      [1, 'l1'],
      [2, 'l2'],
      [3, null],
    ],
  },
  {
    name: 'full join',
    sql: "SELECT l.id AS a, r.id AS b FROM (SELECT number AS id, concat('l', toString(number)) AS name FROM numbers(3)) AS l FULL OUTER JOIN (SELECT number + 1 AS id, concat('r', toString(number + 1)) AS name FROM numbers(3)) AS r ON l.id = r.id ORDER BY coalesce(a, b), a",
    ordered: true,
    columns: ['a', 'b'],
    types: ['integer', 'integer'],
    rows: [
      [0, null],
      [1, 1],
      [2, 2],
      [null, 3],
    ],
  },
  {
    name: 'cross join',
    sql: "SELECT count() AS pairs FROM (SELECT number AS id, concat('l', toString(number)) AS name FROM numbers(3)) AS l CROSS JOIN (SELECT number + 1 AS id, concat('r', toString(number + 1)) AS name FROM numbers(3)) AS r",
    columns: ['pairs'],
    types: ['integer'],
    rows: [[9]],
  },
  {
    name: 'join on several conditions',
    sql: "SELECT a.event AS first, b.event AS second, count() AS times FROM events AS a JOIN events AS b ON a.person_id = b.person_id AND a.event = 'signup' AND b.event = 'purchase' AND b.timestamp > a.timestamp GROUP BY first, second",
    columns: ['first', 'second', 'times'],
    types: ['string', 'string', 'integer'],
    rows: [['signup', 'purchase', 16]],
  },
  {
    name: 'counts over a left join',
    sql: `
      SELECT p.properties.name AS name, count(e.uuid) AS exports FROM persons AS p
      LEFT JOIN (SELECT uuid, person_id FROM events WHERE event = 'export') AS e ON e.person_id = p.id
      WHERE p.properties.country = 'US' GROUP BY name ORDER BY name`,
    ordered: true,
    columns: ['name', 'exports'],
    types: ['string', 'integer'],
    rows: [
      ['Ben', 0],
      ['Fox 🦊', 0],
      ['Grace Hopper', 2],
    ],
  },
  {
    name: 'three tables',
    sql: `
      SELECT p.properties.country AS country, g.properties.name AS organization, count() AS events
      FROM events AS e INNER JOIN persons AS p ON p.id = e.person_id INNER JOIN groups AS g ON g.key = e.$group_0
      GROUP BY country, organization ORDER BY country, organization`,
    ordered: true,
    columns: ['country', 'organization', 'events'],
    types: ['string', 'string', 'integer'],
    rows: [
      ['GB', 'Acme Inc', 8],
      ['RU', 'Acme Inc', 6],
      ['US', 'Globex', 5],
    ],
  },
  {
    name: 'join of subqueries',
    sql: `
      SELECT v.day AS day, v.views AS views, p.purchases AS purchases FROM
        (SELECT toDate(timestamp) AS day, count() AS views FROM events WHERE event = '$pageview' GROUP BY day) AS v
        INNER JOIN (SELECT toDate(timestamp) AS day, count() AS purchases FROM events WHERE event = 'purchase' GROUP BY day) AS p ON v.day = p.day
      ORDER BY day`,
    ordered: true,
    columns: ['day', 'views', 'purchases'],
    types: ['date', 'integer', 'integer'],
    rows: [
      ['2026-02-20', 2, 1],
      ['2026-02-23', 1, 1],
      ['2026-02-28', 1, 1],
      ['2026-03-02', 1, 1],
      ['2026-03-03', 1, 1],
      ['2026-03-08', 3, 1],
      ['2026-03-13', 1, 1],
      ['2026-03-19', 1, 1],
    ],
  },
  {
    name: 'a scalar subquery',
    sql: "SELECT count() AS more FROM events WHERE event = 'purchase' AND properties.amount > (SELECT avg(properties.amount) FROM events WHERE event = 'purchase')",
    columns: ['more'],
    types: ['integer'],
    rows: [[2]],
  },
  {
    name: 'a scalar subquery that finds nothing',
    sql: "SELECT (SELECT properties.name FROM persons WHERE id = 'nobody') AS name, 1 AS one",
    columns: ['name', 'one'],
    types: ['string', 'integer'],
    rows: [[null, 1]],
  },
  {
    name: 'a scalar subquery among the results',
    sql: 'SELECT event, count() - (SELECT min(total) FROM (SELECT count() AS total FROM events GROUP BY event)) AS above FROM events GROUP BY event ORDER BY above DESC, event LIMIT 3',
    ordered: true,
    columns: ['event', 'above'],
    types: ['string', 'integer'],
    rows: [
      ['$pageview', 39],
      ['purchase', 15],
      ['signup', 9],
    ],
  },
  {
    name: 'in a subquery',
    sql: "SELECT count() AS total FROM events WHERE person_id IN (SELECT id FROM persons WHERE properties.plan = 'pro')",
    columns: ['total'],
    types: ['integer'],
    rows: [[26]],
  },
  {
    name: 'not in a subquery',
    sql: "SELECT count() AS total FROM events WHERE person_id NOT IN (SELECT id FROM persons WHERE properties.plan = 'pro')",
    columns: ['total'],
    types: ['integer'],
    rows: [[60]],
  },
  {
    name: 'pairs in a list',
    sql: "SELECT count() AS total FROM events WHERE (event, distinct_id) IN (('purchase', 'ada'), ('signup', 'ben'), ('export', 'nobody'))",
    columns: ['total'],
    types: ['integer'],
    rows: [[5]],
  },
  {
    name: 'a long list',
    sql: "SELECT count() AS total FROM events WHERE distinct_id IN ('user-0', 'user-1', 'user-2', 'user-3', 'user-4', 'user-5', 'user-6', 'user-7', 'user-8', 'user-9', 'user-10', 'user-11', 'user-12', 'user-13', 'user-14', 'user-15', 'user-16', 'user-17', 'user-18', 'user-19', 'user-20', 'user-21', 'user-22', 'user-23', 'user-24', 'user-25', 'user-26', 'user-27', 'user-28', 'user-29', 'user-30', 'user-31', 'user-32', 'user-33', 'user-34', 'user-35', 'user-36', 'user-37', 'user-38', 'user-39', 'user-40', 'user-41', 'user-42', 'user-43', 'user-44', 'user-45', 'user-46', 'user-47', 'user-48', 'user-49', 'user-50', 'user-51', 'user-52', 'user-53', 'user-54', 'user-55', 'user-56', 'user-57', 'user-58', 'user-59', 'user-60', 'user-61', 'user-62', 'user-63', 'user-64', 'user-65', 'user-66', 'user-67', 'user-68', 'user-69', 'user-70', 'user-71', 'user-72', 'user-73', 'user-74', 'user-75', 'user-76', 'user-77', 'user-78', 'user-79', 'user-80', 'user-81', 'user-82', 'user-83', 'user-84', 'user-85', 'user-86', 'user-87', 'user-88', 'user-89', 'user-90', 'user-91', 'user-92', 'user-93', 'user-94', 'user-95', 'user-96', 'user-97', 'user-98', 'user-99', 'user-100', 'user-101', 'user-102', 'user-103', 'user-104', 'user-105', 'user-106', 'user-107', 'user-108', 'user-109', 'user-110', 'user-111', 'user-112', 'user-113', 'user-114', 'user-115', 'user-116', 'user-117', 'user-118', 'user-119', 'ada', 'ben')",
    columns: ['total'],
    types: ['integer'],
    rows: [[25]],
  },
  {
    name: 'a long list of numbers',
    sql: 'SELECT count() AS total FROM numbers(300) WHERE number IN (0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 66, 69, 72, 75, 78, 81, 84, 87, 90, 93, 96, 99, 102, 105, 108, 111, 114, 117, 120, 123, 126, 129, 132, 135, 138, 141, 144, 147, 150, 153, 156, 159, 162, 165, 168, 171, 174, 177, 180, 183, 186, 189, 192, 195, 198, 201, 204, 207, 210, 213, 216, 219, 222, 225, 228, 231, 234, 237, 240, 243, 246, 249, 252, 255, 258, 261, 264, 267, 270, 273, 276, 279, 282, 285, 288, 291, 294, 297, 300, 303, 306, 309, 312, 315, 318, 321, 324, 327)',
    columns: ['total'],
    types: ['integer'],
    rows: [[100]],
  },
  {
    name: 'exists',
    sql: "SELECT EXISTS(SELECT 1 FROM events WHERE event = 'purchase') AS a, EXISTS(SELECT 1 FROM events WHERE event = 'nothing') AS b",
    columns: ['a', 'b'],
    types: ['integer', 'integer'],
    rows: [[1, 0]],
  },
  {
    name: 'persons with an event',
    sql: "SELECT p.properties.name AS name FROM persons AS p WHERE p.id IN (SELECT e.person_id FROM events AS e WHERE e.event = 'export') ORDER BY name",
    ordered: true,
    columns: ['name'],
    types: ['string'],
    rows: [['Ada Lovelace'], ['Grace Hopper'], [null]],
  },
  {
    name: 'persons without an event',
    sql: "SELECT p.id AS id FROM persons AS p WHERE p.id NOT IN (SELECT e.person_id FROM events AS e WHERE e.event = '$pageview') ORDER BY id",
    ordered: true,
    columns: ['id'],
    types: ['string'],
    rows: [['aaaaaaaa-0000-4000-8000-000000000011']],
  },
  {
    name: 'a column that USING merged beside the same name of a later table',
    sql: 'SELECT * FROM (SELECT 1 AS id) AS a JOIN (SELECT 1 AS id) AS b USING (id) JOIN (SELECT 7 AS id) AS c ON a.id < c.id',
    columns: ['id', 'id'],
    types: ['integer', 'integer'],
    rows: [[1, 7]],
  },
  {
    name: 'joins of integers with floats',
    sql: `
      SELECT a.number AS x, b.x AS y, c.x AS z FROM numbers(3) AS a
      LEFT JOIN (SELECT 1.0 AS x) AS b ON a.number = b.x JOIN (SELECT arrayJoin([1.0, 2.5]) AS x) AS c ON (a.number, 1) = (c.x, 1) ORDER BY x`,
    ordered: true,
    columns: ['x', 'y', 'z'],
    types: ['integer', 'float', 'float'],
    rows: [[1, 1, 1]],
  },
  {
    name: 'floats among the integers of a query',
    sql: 'SELECT x IN (SELECT 3) AS a, x NOT IN (SELECT number FROM numbers(5)) AS b, (x, 1) IN (SELECT number, 1.0 FROM numbers(5)) AS c, x IN (SELECT NULL) AS d, 1 IN (SELECT NULL) AS e FROM (SELECT arrayJoin([2.5, 3.0]) AS x) ORDER BY x',
    ordered: true,
    columns: ['a', 'b', 'c', 'd', 'e'],
    types: ['integer', 'integer', 'integer', 'integer', 'integer'],
    rows: [
      [0, 1, 0, 0, 0],
      [1, 0, 1, 0, 0],
    ],
  },
  {
    name: 'queries of one row as values',
    sql: 'SELECT (SELECT number FROM numbers(3) ORDER BY number DESC LIMIT 1) AS a, (SELECT number FROM numbers(1)) AS b, (SELECT number FROM numbers(3) WHERE number > 7) AS c, (SELECT 1 UNION DISTINCT SELECT 1) AS d',
    columns: ['a', 'b', 'c', 'd'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[2, 0, null, 1]],
  },
  {
    name: 'the largest of each person',
    sql: `
      SELECT e.distinct_id AS who, e.properties.amount AS amount FROM events AS e
      JOIN (SELECT person_id, max(properties.amount) AS most FROM events WHERE event = 'purchase' GROUP BY person_id) AS m ON m.person_id = e.person_id AND m.most = e.properties.amount
      WHERE e.event = 'purchase' AND e.properties.amount > 40 ORDER BY amount, who, e.timestamp`,
    ordered: true,
    columns: ['who', 'amount'],
    types: ['string', 'float'],
    rows: [
      ['dmitri', 45],
      ['n-3', 60],
      ['ada', 99.99],
      ['ada', 99.99],
      ['grace', 250],
      ['judy', 1000],
    ],
  },
  {
    name: 'a query in a query in a query',
    sql: 'SELECT max(n) AS most FROM (SELECT n FROM (SELECT count() AS n FROM events GROUP BY event) WHERE n < 20)',
    columns: ['most'],
    types: ['integer'],
    rows: [[16]],
  },
  {
    name: 'a star over a subquery',
    sql: 'SELECT * FROM (SELECT event, count() AS total FROM events GROUP BY event ORDER BY total DESC LIMIT 2) ORDER BY event',
    ordered: true,
    columns: ['event', 'total'],
    types: ['string', 'integer'],
    rows: [
      ['$pageview', 40],
      ['purchase', 16],
    ],
  },
  {
    name: 'numbers',
    sql: 'SELECT number, number * number AS square FROM numbers(4) ORDER BY number',
    ordered: true,
    columns: ['number', 'square'],
    types: ['integer', 'integer'],
    rows: [
      [0, 0],
      [1, 1],
      [2, 4],
      [3, 9],
    ],
  },
  {
    name: 'numbers from a start',
    sql: 'SELECT number FROM numbers(5, 3) ORDER BY number',
    ordered: true,
    columns: ['number'],
    types: ['integer'],
    rows: [[5], [6], [7]],
  },
  {
    name: 'nothing to read from',
    sql: "SELECT 1 AS one, 'a' AS text, NULL AS nothing",
    columns: ['one', 'text', 'nothing'],
    types: ['integer', 'string', 'unknown'],
    rows: [[1, 'a', null]],
  },
]
