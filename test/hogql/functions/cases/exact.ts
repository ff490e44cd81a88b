// Values at the edges of types: all digits of floats, bounds of integers, NULL in lists, defaults of JSON, texts of arrays, times before 1970.
import type { CallCase, QueryCase } from './case'

export const EXACT: readonly CallCase[] = [
  ['tuple(0.1 + 0.2, 1)', [0.30000000000000004, 1]],
  ['[0.1 + 0.2, 1 / 3]', [0.30000000000000004, 0.3333333333333333]],
  ['arrayMap(x -> x / 3, [1, 2])', [0.3333333333333333, 0.6666666666666666]],
  ['has([0.1 + 0.2], 0.1 + 0.2)', 1],
  ['toString([0.1 + 0.2, 2.0])', '[0.30000000000000004,2]'],
  ['toString(1234567890123456789.0)', '1234567890123456800'],
  ['toString(-98765432109876543210.0)', '-98765432109876540000'],
  ['toString(999999999999999868928.0)', '999999999999999900000'],
  ['toString(9007199254740994.0)', '9007199254740994'],
  ['toString([12345678901234568.0, 1.5e19])', '[12345678901234568,15000000000000000000]'],
  ['[1.0, 2, 3] = [1, 2.0, 3]', 1],
  ['[toFloat(1), 2.5] = [1, 2.5]', 1],
  ["toString(['a', 'it\\'s', NULL])", "['a','it\\'s',NULL]"],
  ["toString((1, 'a'))", "(1,'a')"],
  ["toString([toDate('2024-02-29')])", "['2024-02-29']"],
  ["toInt(concat('922337203685477580', '7')) > 0", 1],
  ["toInt(concat('922337203685477580', '8'))", null],
  ["toInt(concat('-922337203685477580', '9'))", null],
  ['1 IN (1, NULL)', 1],
  ['NULL IN (1, NULL)', 1],
  ['NULL IN (1, 2)', 0],
  ['nullIf(1, 1) IN (1, NULL)', 1],
  ['nullIf(1, 1) NOT IN (1, NULL)', 0],
  ['nullIf(1, 1) NOT IN (1, 2)', 1],
  ['nullIf(1, 2) NOT IN (2, NULL)', 1],
  ['nullIf(1, 1) IN (1, 2, 3, 4, 5, 6, 7, 8, 9, NULL)', 1],
  ['nullIf(1, 1) IN (SELECT nullIf(1, 1))', 1],
  ['nullIf(1, 1) IN (SELECT 1)', 0],
  ['(1, nullIf(1, 1)) IN (SELECT 1, nullIf(1, 1))', 1],
  [`JSONExtract('["a",null,"b",1]', 'Array(String)')`, ['a', '', 'b', '1']],
  [`JSONExtract('[1.5,-2,null,"3"]', 'Array(Int64)')`, [1, -2, 0, 3]],
  [`JSONExtract('["a","b"]', 'Array(Float64)')`, []],
  [`JSONExtract('3', 'Bool')`, true],
  [`JSONExtractString('{"a":"x","b":"y"}', 2)`, 'y'],
  [`JSONExtractString('{"a":"x","b":"y"}', -2)`, 'x'],
  [`JSONLength('{"a":[1,2],"b":3}', 1)`, 2],
  [`JSONHas('{"a":1}', 2)`, 0],
  ["splitByString(',', 'a,b', nullIf(1, 1))", ['a', 'b']],
  ["toStartOfInterval(toDateTime('1969-12-31 23:50:00'), INTERVAL 15 MINUTE)", '1969-12-31T23:45:00Z'],
  ["dateTrunc('minute', toDateTime('1969-12-31 23:59:30'))", '1969-12-31T23:59:00Z'],
  ["toStartOfHour(toDate('2026-01-02'))", '2026-01-02T00:00:00-05:00', 'America/New_York'],
]

/** Keys that SQLite could take for the number of an item: a number that is written as such, or a condition that is false while it is parsed. */
const CONSTANT_KEYS = [
  'false',
  'toBool(false)',
  '-false',
  'number < NULL',
  'number IN (NULL)',
  'toBool(number > 1 AND false)',
]

export const EXACT_ROWS: readonly QueryCase[] = [
  {
    sql: 'SELECT first_value(number) OVER w, last_value(toString(number)) OVER w, sum(number) OVER w FROM numbers(3) WINDOW w AS (ORDER BY number ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) ORDER BY number',
    rows: [
      [0, '', 0],
      [0, '0', 0],
      [0, '1', 1],
    ],
  },
  {
    sql: 'SELECT lagInFrame(number, 1) OVER (ORDER BY number ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING), leadInFrame(number, 0, 9) OVER (ORDER BY number ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) FROM numbers(4) ORDER BY number',
    rows: [
      [0, 9],
      [0, 9],
      [0, 9],
      [0, 9],
    ],
  },
  {
    sql: 'SELECT groupArray(number / 3), quantiles(0.5)(number / 3) FROM numbers(3)',
    rows: [[[0, 0.3333333333333333, 0.6666666666666666], [0.3333333333333333]]],
  },
  ...CONSTANT_KEYS.flatMap((key) => [
    { sql: `SELECT count() AS n FROM numbers(3) GROUP BY ${key} ORDER BY ${key}`, rows: [[3]] },
    { sql: `SELECT number FROM numbers(3) ORDER BY ${key}, number DESC`, rows: [[2], [1], [0]] },
  ]),
  { sql: 'SELECT [sum(number) / 3, 1.5] FROM numbers(3)', rows: [[[1, 1.5]]] },
  {
    sql: 'SELECT count() % 2.5, sum(2.5) % 2, count() / 0, 7 % (count() * 0.5) FROM numbers(3)',
    rows: [[0.5, 1.5, null, 1]],
  },
  {
    sql: 'SELECT number % 2 AS k, count() % 1.5 AS r FROM numbers(5) GROUP BY k HAVING count() % 1.5 < 2 ORDER BY count() % 1.5',
    rows: [
      [0, 0],
      [1, 0.5],
    ],
  },
  {
    sql: 'SELECT row_number() OVER (ORDER BY number) % 1.5 AS r FROM numbers(3) ORDER BY number',
    rows: [[1], [0.5], [0]],
  },
  { sql: 'SELECT count(DISTINCT number / 3, number), uniq(number % 2) FROM numbers(5)', rows: [[5, 2]] },
  {
    // An array or a map of a side without a row is empty, all others are NULL.
    sql: "select l.a, r.n, length(r.n), has(r.n, 1), empty(r.n), r.n is null, ifNull(r.n, [7]), toString(r.n), r.m, r.s, r.t from (select arrayJoin([2,3]) as a) l left join (select arrayJoin([3,4]) as b, [1] as n, map('k', 1) as m, 'x' as s, (1, 'y') as t) r on l.a = r.b order by l.a",
    rows: [
      [2, [], 0, 0, 1, 0, [], '[]', {}, null, null],
      [3, [1], 1, 1, 0, 0, [1], '[1]', { k: 1 }, 'x', [1, 'y']],
    ],
  },
  {
    sql: 'select l.a, l.n, r.n, groupArray(r.n), count(r.n) from (select arrayJoin([2,3]) as a, [a] as n) l full join (select arrayJoin([3,4]) as b, groupArray(b) as n group by b) r on l.a = r.b group by l.a, l.n, r.n order by l.a',
    rows: [
      [2, [2], [], [[]], 1],
      [3, [3], [3], [[3]], 1],
      [null, [], [4], [[4]], 1],
    ],
  },
]
