// Values at the edges of types: all digits of floats, bounds of integers, NULL in lists, defaults of JSON, texts of arrays, times before 1970.
import type { CallCase, QueryCase } from './case'

export const EXACT: readonly CallCase[] = [
  ['tuple(0.1 + 0.2, 1)', [0.30000000000000004, 1]],
  ['[0.1 + 0.2, 1 / 3]', [0.30000000000000004, 0.3333333333333333]],
  ['arrayMap(x -> x / 3, [1, 2])', [0.3333333333333333, 0.6666666666666666]],
  ['has([0.1 + 0.2], 0.1 + 0.2)', 1],
  ['toString([0.1 + 0.2, 2.0])', '[0.30000000000000004,2]'],
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
  { sql: 'SELECT [sum(number) / 3, 1.5] FROM numbers(3)', rows: [[[1, 1.5]]] },
  { sql: 'SELECT count(DISTINCT number / 3, number), uniq(number % 2) FROM numbers(5)', rows: [[5, 2]] },
]
