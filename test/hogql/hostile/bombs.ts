// Queries that would exhaust time or memory.
import type { Attempt } from './attempt'
import { RECURSIONS } from './recursions'

const nested = (open: string, inner: string, close: string, times: number) =>
  open.repeat(times) + inner + close.repeat(times)

export const BOMBS: readonly Attempt[] = [
  {
    name: 'a map of ninety keys',
    sql: `SELECT map(${Array.from({ length: 90 }, (_, i) => `'k${i}', ${i}`).join(', ')})['k89']`,
    outcome: { rows: [[89]] },
  },
  {
    name: 'a map of ten thousand keys, made of arrays',
    sql: "SELECT mapFromArrays(arrayMap(x -> toString(x), range(10000)), range(10000))['9999']",
    outcome: { rows: [[9999]] },
  },
  {
    name: 'maps in maps, four deep',
    sql: `SELECT ${nested("map('a', ", '1', ')', 4)}${"['a']".repeat(4)}`,
    outcome: { rows: [[1]] },
  },
  {
    name: 'lambdas of maps in lambdas of maps',
    sql: `SELECT ${nested('mapApply((k, v) -> (k, ', 'v', "), map('a', 1))", 5)}`,
    outcome: { rows: [[{ a: { a: { a: { a: { a: 1 } } } } }]] },
  },
  ...RECURSIONS,
  {
    name: 'parentheses, a thousand deep',
    sql: `SELECT ${nested('(', '1', ')', 1000)} AS x`,
    outcome: { refused: /./s },
  },
  {
    name: 'additions, five thousand',
    sql: `SELECT ${Array.from({ length: 5000 }, () => '1').join(' + ')} AS x`,
    outcome: { refused: /./s },
  },
  { name: 'negations, five hundred', sql: `SELECT ${'NOT '.repeat(500)}1 AS x`, outcome: { refused: /./s } },
  {
    name: 'calls, three hundred deep',
    sql: `SELECT ${nested('lower(', `'a'`, ')', 300)} AS x`,
    outcome: { refused: /./s },
  },
  {
    name: 'subqueries, a hundred deep',
    sql: `${nested('SELECT x FROM (', 'SELECT 1 AS x', ')', 100)}`,
    outcome: { refused: /./s },
  },
  {
    name: 'arrays, two hundred deep',
    sql: `SELECT ${nested('[', '1', ']', 200)} AS x`,
    outcome: { refused: /./s },
  },
  {
    name: 'lambdas, a hundred deep',
    sql: `SELECT ${nested('arrayMap(x -> ', '1', ', [1])', 100)} AS x`,
    outcome: { refused: /./s },
  },
  {
    name: 'conditions, two thousand',
    sql: `SELECT count() AS n FROM events WHERE ${Array.from({ length: 2000 }, (_, i) => `event = 'e${i}'`).join(' OR ')}`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'a list of five thousand',
    sql: `SELECT count() AS n FROM events WHERE event IN (${Array.from({ length: 5000 }, (_, i) => `'e${i}'`).join(', ')})`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'unions, three hundred',
    sql: Array.from({ length: 300 }, (_, i) => `SELECT ${i} AS n`).join(' UNION ALL '),
    outcome: { own: 100 },
  },
  {
    name: 'columns, two hundred',
    sql: `SELECT ${Array.from({ length: 200 }, (_, i) => `${i} AS c${i}`).join(', ')}`,
    outcome: { refused: /./s },
  },
  {
    name: 'joins, eighty',
    sql: `SELECT count() FROM events AS e0 ${Array.from({ length: 80 }, (_, i) => `JOIN events AS e${i + 1} ON e${i}.uuid = e${i + 1}.uuid`).join(' ')}`,
    outcome: { refused: /./s },
  },
  {
    name: 'CTEs that double',
    sql: `WITH ${Array.from({ length: 24 }, (_, i) => (i ? `t${i} AS (SELECT a.n AS n FROM t${i - 1} AS a CROSS JOIN t${i - 1} AS b)` : 't0 AS (SELECT 1 AS n)')).join(', ')} SELECT count() FROM t23`,
    outcome: { refused: /./s },
  },
  {
    name: 'aliases that double',
    sql: `SELECT 1 AS a0, ${Array.from({ length: 40 }, (_, i) => `a${i} + a${i} AS a${i + 1}`).join(', ')}`,
    outcome: { refused: /./s },
  },
  {
    name: 'a text of a hundred thousand characters',
    sql: `SELECT '${'x'.repeat(100_000)}' AS x`,
    outcome: { refused: /./s },
  },
  {
    name: 'spaces, a hundred thousand',
    sql: `SELECT${' '.repeat(100_000)}1 AS x`,
    outcome: { refused: /./s },
  },
  {
    name: 'a name of ten thousand characters',
    sql: `SELECT 1 AS ${'a'.repeat(10_000)}`,
    outcome: { rows: [[1]] },
  },
  {
    name: 'a path of a thousand steps',
    sql: `SELECT properties${'.a'.repeat(1000)} FROM events`,
    outcome: { refused: /path/s },
  },
  {
    name: 'numbers without end',
    sql: 'SELECT count() AS n FROM numbers(1000000000000)',
    outcome: { refused: /number/s },
  },
  {
    name: 'numbers from a variable',
    sql: 'SELECT count() AS n FROM numbers({variables.n})',
    variables: { n: { type: 'Number', value: 1e15 } },
    outcome: { stopped: /too large/s },
  },
  {
    name: 'a range without end',
    sql: 'SELECT length(range(1000000000000)) AS n',
    outcome: { refused: /range/s },
  },
  {
    name: 'a text repeated without end',
    sql: `SELECT length(repeat('x', 1000000000000)) AS n`,
    outcome: { refused: /repeat/s },
  },
  {
    name: 'a text repeated again and again',
    sql: `SELECT length(repeat(repeat(repeat('xxxxxxxxxx', 1000), 1000), 1000)) AS n`,
    outcome: { stopped: /too large/s },
  },
  {
    name: 'a text repeated as often as a variable says',
    sql: `SELECT length(repeat('x', toInt({variables.n}))) AS n`,
    variables: { n: { type: 'Number', value: 1e9 } },
    outcome: { stopped: /too large/s },
  },
  {
    name: 'a range up to a variable',
    sql: 'SELECT length(range(toInt({variables.n}))) AS n',
    variables: { n: { type: 'Number', value: 1e9 } },
    outcome: { stopped: /too large/s },
  },
  {
    name: 'a range as long as it may be',
    sql: 'SELECT length(range(100000)) AS n',
    outcome: { rows: [[100_000]] },
  },
  {
    name: 'padding without end',
    sql: `SELECT length(leftPad('x', 1000000000, 'y')) AS n`,
    outcome: { refused: /leftPad/s },
  },
  {
    name: 'replacing that grows',
    sql: `SELECT length(${nested('replaceAll(', `'xxxxxxxxxx'`, `, 'x', 'xxxxxxxxxx')`, 12)}) AS n`,
    outcome: { stopped: /large|memory/s },
  },
  {
    name: 'replacing that grows, a subquery at a time',
    sql: `SELECT length(x) AS n FROM ${nested("(SELECT replaceAll(x, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxx') AS x FROM ", `(SELECT 'xxxxxxxxxx' AS x)`, ')', 8)}`,
    outcome: { stopped: /large|memory/s },
  },
  {
    name: 'conditions, two hundred',
    sql: `SELECT count() AS n FROM events WHERE ${Array.from({ length: 200 }, (_, i) => `event = 'e${i}'`).join(' OR ')}`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'a list of more items than a query may have parts',
    sql: `SELECT count() AS n FROM events WHERE event IN (${Array.from({ length: 20_001 }, () => `''`).join(',')})`,
    outcome: { refused: /parts/s },
  },
  {
    name: 'arrays of everything',
    sql: 'SELECT length(groupArray(a.properties)) AS n FROM events AS a CROSS JOIN events AS b CROSS JOIN events AS c',
    outcome: { stopped: /./s },
  },
  {
    name: 'a pattern of many stars',
    sql: `SELECT count() AS n FROM events WHERE properties.$current_url LIKE '${'%a'.repeat(25)}'`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'a short pattern of many stars',
    sql: `SELECT count() AS n FROM events WHERE repeat('a', 200) LIKE '${'%a'.repeat(20)}b'`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'a pattern of five hundred characters',
    sql: `SELECT count() AS n FROM events WHERE event LIKE '${'a_'.repeat(250)}'`,
    outcome: { refused: /pattern/s },
  },
  {
    name: 'a pattern from a column',
    sql: 'SELECT count() AS n FROM events WHERE event LIKE repeat(distinct_id, 50)',
    outcome: { stopped: /./s },
  },
  {
    name: 'a regular expression',
    sql: `SELECT match(concat(repeat('a', 50000), 'b'), '(a+)+$') AS n`,
    outcome: { rows: [[0]] },
  },
  {
    name: 'a regular expression by an operator',
    sql: `SELECT count() AS n FROM events WHERE event =~ '(a+)+$'`,
    outcome: { own: 1 },
  },
  {
    name: 'a regular expression of a large program',
    sql: `SELECT count() AS n FROM events WHERE event =~ '((a{1,100}){1,100}){1,100}'`,
    outcome: { stopped: /at most 50,000 instructions together/ },
  },
]
