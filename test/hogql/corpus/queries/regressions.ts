// Queries that were once answered wrongly, or not at all: found by the fuzz test, kept with what ClickHouse gives.
import type { CorpusQuery } from '../corpus-query'

export const REGRESSIONS: readonly CorpusQuery[] = [
  {
    name: 'a value that is never NULL is looked for among values that may be',
    sql: `
      SELECT countIf(number IN (SELECT if(number = 1, NULL, number) FROM numbers(3))) AS one,
        countIf((number, toString(number)) IN (SELECT if(number = 1, NULL, number), toString(number) FROM numbers(3))) AS pair
      FROM numbers(4)`,
    columns: ['one', 'pair'],
    types: ['integer', 'integer'],
    rows: [[2, 2]],
  },
  {
    name: 'a number and the same number as text within a tuple',
    sql: "SELECT uniq((event, properties.quantity)) AS tuples, uniq([properties.quantity]) AS arrays, uniq(properties.quantity) AS numbers, [properties.quantity] = [toFloat('3')] AS isThree FROM events WHERE event = 'purchase' AND properties.quantity IN (3, 4) GROUP BY isThree",
    columns: ['tuples', 'arrays', 'numbers', 'isThree'],
    types: ['integer', 'integer', 'integer', 'integer'],
    rows: [[1, 1, 1, 1]],
  },
  {
    name: 'a property that is missing matches no regular expression',
    sql: "SELECT countIf(properties.plan =~ 'p.o') AS matching, countIf(properties.plan !~ 'p.o') + countIf(properties.plan =~ 'p.o') - count() AS lost, countIf(NOT properties.plan =~ 'p.o') - countIf(properties.plan !~ 'p.o') AS different FROM events",
    columns: ['matching', 'lost', 'different'],
    types: ['integer', 'integer', 'integer'],
    rows: [[2, 0, 0]],
  },
  {
    name: 'an aggregate in the order alone',
    sql: 'SELECT 3 AS n FROM numbers(5) ORDER BY count()',
    ordered: true,
    columns: ['n'],
    types: ['integer'],
    rows: [[3]],
  },
  {
    name: 'an aggregate in HAVING alone',
    sql: 'SELECT 3 AS n FROM numbers(5) HAVING count() > 2',
    columns: ['n'],
    types: ['integer'],
    rows: [[3]],
  },
  {
    name: 'an aggregate in HAVING alone that does not hold',
    sql: 'SELECT 3 AS n FROM numbers(5) HAVING count() > 7',
    columns: ['n'],
    types: ['integer'],
    rows: [],
  },
  {
    name: 'an order of one row',
    sql: 'SELECT count() AS n FROM numbers(5) ORDER BY max(number), n DESC',
    ordered: true,
    columns: ['n'],
    types: ['integer'],
    rows: [[5]],
  },
  {
    name: 'one row of nothing',
    sql: "SELECT 'x' AS x FROM numbers(0) ORDER BY count()",
    ordered: true,
    columns: ['x'],
    types: ['string'],
    rows: [['x']],
  },
  {
    name: 'a window function that LIMIT BY is by',
    sql: 'SELECT number, intDiv(row_number() OVER (ORDER BY number), 2) AS pair FROM numbers(5) ORDER BY pair, number LIMIT 1 BY pair',
    ordered: true,
    columns: ['number', 'pair'],
    types: ['integer', 'integer'],
    rows: [
      [0, 0],
      [1, 1],
      [3, 2],
    ],
  },
  {
    name: 'a moment just before the end of a month',
    sql: "SELECT toMonth(timestamp) AS month, toDayOfWeek(timestamp) AS weekday, formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S') AS text FROM events WHERE distinct_id = 'n-2'",
    columns: ['month', 'weekday', 'text'],
    types: ['integer', 'integer', 'string'],
    rows: [[2, 4, '2024-02-29 23:59:59']],
  },
  {
    name: 'a group called index',
    sql: 'SELECT index, count() AS total FROM groups GROUP BY index ORDER BY index',
    ordered: true,
    columns: ['index', 'total'],
    types: ['integer', 'integer'],
    rows: [
      [0, 3],
      [1, 1],
    ],
  },
  {
    name: 'a window function in rounding',
    sql: 'SELECT number, round(avg(number) OVER (ORDER BY number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), 1) AS mean FROM numbers(4) ORDER BY number',
    ordered: true,
    columns: ['number', 'mean'],
    types: ['integer', 'float'],
    rows: [
      [0, 0],
      [1, 0.5],
      [2, 1.5],
      [3, 2.5],
    ],
  },
  {
    name: 'slices beyond the ends',
    sql: 'SELECT arraySlice([1, 2, 3], 0) AS a, arraySlice([1, 2, 3], -2) AS b, arraySlice([1, 2, 3], -2, 1) AS c, arraySlice([1, 2, 3], 2, -1) AS d, arraySlice([1, 2, 3], -5, 3) AS e, arraySlice([1, 2, 3], 5) AS f, arraySlice([1, 2, 3], 2, 0) AS g, arraySlice([1, 2, 3], -1, -1) AS h',
    columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    types: ['array', 'array', 'array', 'array', 'array', 'array', 'array', 'array'],
    rows: [[[], [2, 3], [2], [2], [1], [], [], []]],
  },
  {
    name: 'properties in lists of several kinds',
    sql: `
      SELECT
        countIf(properties.score IN (7, 'abc')) AS mixed, countIf(properties.score IN ('abc', 7)) AS turned,
        countIf(properties.score = 7 OR properties.score = 'abc') AS either, countIf(properties.amount IN (10, 'abc')) AS numeric,
        countIf(properties.currency IN ('USD', 3, true)) AS text, countIf(properties.currency = 'USD') AS same,
        countIf(properties.paid IN (true, 'no')) AS truth, countIf(properties.currency NOT IN ('USD', 3)) AS others,
        countIf((properties.currency, event) IN (('USD', 'purchase'), (3, 'purchase'))) AS pairs
      FROM events`,
    columns: ['mixed', 'turned', 'either', 'numeric', 'text', 'same', 'truth', 'others', 'pairs'],
    types: [
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
      'integer',
    ],
    rows: [[2, 2, 2, 1, 8, 8, 11, 78, 8]],
  },
  {
    name: 'elements that are looked for as another kind',
    sql: `
      SELECT
        countIf(has(['10', '20.5'], properties.amount)) AS has, countIf(indexOf(['10', '20.5'], properties.amount) = 2) AS second,
        sum(countEqual(['10', '10'], properties.amount)) AS twice, countIf(hasAny(['10', '15'], [properties.amount])) AS any,
        countIf(hasAll([properties.amount], ['10'])) AS all, countIf(has(['true'], properties.paid)) AS paid,
        countIf(properties.amount IN ['10', '20.5']) AS member, has(groupArray(properties.amount), '10') AS among
      FROM events`,
    columns: ['has', 'second', 'twice', 'any', 'all', 'paid', 'member', 'among'],
    types: ['integer', 'integer', 'integer', 'integer', 'integer', 'integer', 'integer', 'integer'],
    rows: [[2, 1, 2, 2, 1, 11, 2, 1]],
  },
  {
    name: 'a subquery that is grouped itself, in a key of groups',
    sql: "SELECT properties.plan IN (SELECT properties.plan AS plan FROM events WHERE properties.plan = 'pro' GROUP BY plan LIMIT 1) AS isPro, count() > 0 AS some FROM events GROUP BY isPro HAVING isPro >= 0 ORDER BY isPro",
    ordered: true,
    columns: ['isPro', 'some'],
    types: ['integer', 'integer'],
    rows: [
      [0, 1],
      [1, 1],
    ],
  },
]
