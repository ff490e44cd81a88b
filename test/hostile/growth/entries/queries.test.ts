// Queries: their text through parser, resolver, cost and both printers, and every part of an insight that a caller writes.
import { compileHogql } from '../../../../src/hogql/compile'
import { FUNCTIONS } from '../../../../src/hogql/functions/catalogue'
import { parseQuery } from '../../../../src/hogql/parser/parse'
import { FORMS } from '../../../../src/hogql/resolve/expressions/special-forms'
import { queryText } from '../../../../src/hogql/parser/write-query'
import { compileQuery, parseSent } from '../../../../src/endpoints/compile/compile-query'
import { itGrowsLinearly, refusalOf } from '../entry-growth'
import {
  type Entry,
  entry,
  mapped,
  nested,
  numbered,
  repeated,
  type Shapes,
  someValues,
  TEXTS,
  VALUES,
} from '../shapes'

/** Characters of a query, at most. */
const MAX_QUERY = 100_000

const compile = async (sql: string): Promise<unknown> => {
  const tree = parseQuery(sql)
  return [
    queryText(tree),
    await compileHogql(sql, { timezone: 'Europe/Berlin', variables: {}, propertyTypes: () => undefined }),
  ]
}

const SELECT = 'SELECT '
const FROM = ' FROM events'
const list = (piece: string) => repeated(`${piece},`, SELECT, `1${FROM}`)
const inside = (open: string, close: string, inner = '1') => nested(open, close, inner, SELECT, FROM)

/** Subqueries of WITH, each of which reads the one before it. */
function chainOf(length: number, first: string, next: (before: string) => string): string {
  const tables = Array.from({ length }, (_, index) => `t${index + 1} AS (${next(`t${index}`)})`)
  return `WITH ${[`t0 AS (${first})`, ...tables].join(',')} SELECT 1 FROM t${tables.length}`
}

/** Texts of the grammar. */
const GRAMMAR: Shapes<string> = {
  columns: list('event'),
  properties: list('properties.a'),
  'different properties': numbered((n) => `properties.p${n}`, ',', SELECT, FROM),
  'names of columns': numbered((n) => `1 AS c${n}`, ',', SELECT, FROM),
  'a chain of names': repeated('.a', 'SELECT properties', FROM),
  'a sum': repeated('+1', 'SELECT 1', FROM),
  'a chain of AND': repeated(' AND event', 'SELECT event', FROM),
  'a chain of comparisons': repeated("OR event='a' ", "SELECT 1 FROM events WHERE event='a' "),
  'a chain of signs': repeated('- ', SELECT, '1'),
  'a chain of NOT': repeated('NOT ', SELECT, '1'),
  'a chain of casts': repeated('::String', 'SELECT 1'),
  'a chain of places': repeated('[1]', 'SELECT [1]'),
  'a chain of members': repeated('.1', 'SELECT tuple(1)'),
  'a chain of choices': repeated('1 ? 1 : ', SELECT, '1'),
  'a chain of concatenations': repeated("||'a'", "SELECT 'a'"),
  'one long value in many places': (size) =>
    `SELECT '${'x'.repeat(size / 2)}' AS a, concat(${Array.from({ length: size / 5 }, () => 'a').join(',')})`,
  'one long value in many columns': (size) =>
    `SELECT '${'x'.repeat(size / 2)}' AS a, ${Array.from({ length: size / 24 }, () => 'toDate(a)').join(',')}`,
  parentheses: inside('(', ')'),
  lists: inside('[', ']'),
  dictionaries: inside("{'a':", '}'),
  conditions: inside('if(event,', ',1)'),
  'conditions in conditions': inside('if(event = 1, 1, ', ')'),
  choices: inside('CASE WHEN 1 THEN ', ' END'),
  'many choices': repeated('WHEN 1 THEN 2 ', 'SELECT CASE ', 'END'),
  lambdas: inside('arrayMap(x -> ', ', [1])'),
  subqueries: nested('(SELECT ', ')', '1', SELECT),
  'tables of tables': nested('(SELECT * FROM ', ')', 'events', 'SELECT * FROM '),
  'long lists of IN': repeated("'a',", 'SELECT event IN (', "'a')"),
  'long lists': repeated('1,', 'SELECT [', '1]'),
  texts: list("'a'"),
  'a long text': repeated('a', "SELECT '", "'"),
  'a long name': repeated('a', 'SELECT `', '`'),
  'a long number': repeated('1', SELECT),
  'a long pattern': repeated('(a|b)*', "SELECT match(event, '", `')${FROM}`),
  'a long format': repeated('%Y', "SELECT formatDateTime(timestamp, '", `')${FROM}`),
  templates: repeated('{event}', "SELECT f'", `'${FROM}`),
  placeholders: numbered((n) => `{variables.v${n}}`, ',', SELECT),
  'joined tables': numbered((n) => ` JOIN events AS e${n} ON 1`, '', 'SELECT 1 FROM events'),
  'tables in a list': numbered((n) => `events AS e${n}`, ',', 'SELECT 1 FROM '),
  unions: repeated(' UNION ALL SELECT 1', 'SELECT 1'),
  orders: repeated('event,', 'SELECT event FROM events ORDER BY ', '1'),
  groups: repeated('event,', 'SELECT event FROM events GROUP BY ', 'event'),
  'different groups': (size) => {
    const keys = numbered((n) => `properties.p${n}`, ',')(size / 2)
    return `SELECT ${keys} FROM events GROUP BY ${keys}`
  },
  'groups of equal size': (size) => {
    const keys = numbered((n) => `event || '${n}'`, ',')(size / 2)
    return `SELECT ${keys} FROM events GROUP BY ${keys}`
  },
  'sets of groups': numbered((n) => `properties.p${n}`, ',', 'SELECT 1 FROM events GROUP BY ROLLUP(', ')'),
  'all sets of groups': numbered((n) => `properties.p${n}`, ',', 'SELECT 1 FROM events GROUP BY CUBE(', ')'),
  'arrays that are joined': numbered((n) => `arrayJoin([${n}])`, ',', SELECT, FROM),
  'arrays of one join': numbered((n) => `[${n}] AS a${n}`, ',', 'SELECT 1 FROM events ARRAY JOIN '),
  'columns of a star': repeated('*,', SELECT, `1${FROM}`),
  'names of a table of many columns': (size) => {
    const names = numbered((n) => `c${n}`, ',')(size / 3)
    const columns = numbered((n) => `1 AS c${n}`, ',')(size / 2)
    return `SELECT ${names} FROM (SELECT ${columns})`
  },
  'window functions': repeated('row_number() OVER (ORDER BY timestamp),', SELECT, `1${FROM}`),
  tables: numbered((n) => `t${n} AS (SELECT 1 AS a)`, ',', 'WITH ', ' SELECT 1'),
  'tables that read each other': numbered(
    (n) => `t${n + 1} AS (SELECT a FROM t${n})`,
    ',',
    'WITH t0 AS (SELECT 1 AS a),',
    ' SELECT 1 FROM t1',
  ),
  'tables that read each other twice': numbered(
    (n) => `t${n + 1} AS (SELECT l.a FROM t${n} l JOIN t${n} r ON l.a = r.a)`,
    ',',
    'WITH t0 AS (SELECT 1 AS a),',
    ' SELECT a FROM t7',
  ),
  'names that stand for two of each other': numbered(
    (n) => `c${n} + c${n} AS c${n + 1}`,
    ',',
    'SELECT 1 AS c0,',
    FROM,
  ),
  'columns that stand for two of each other': numbered(
    (n) => `(c${n} + c${n}) AS c${n + 1}`,
    ',',
    'WITH 1 AS c0,',
    ' SELECT c1',
  ),
  'texts that stand for two of each other': numbered(
    (n) => `concat(c${n}, c${n}) AS c${n + 1}`,
    ',',
    'SELECT event AS c0,',
    FROM,
  ),
  'columns of stars in stars': (size) =>
    chainOf(Math.min(29, size / 30), 'SELECT 1 AS a, 2 AS b', (before) => `SELECT *, * FROM ${before}`),
  'tuples of tuples': (size) =>
    chainOf(
      Math.min(29, size / 40),
      'SELECT event AS a FROM events',
      (before) => `SELECT (a, a) AS a FROM ${before}`,
    ),
  'lambdas that give tuples of tuples': nested('arrayMap(x -> (x, x), ', ')', '[1]', SELECT),
  'an expression of WITH that is named often': (size) => {
    const items = Array.from({ length: size / 4 }, () => '1').join(',')
    return `WITH (${items}).1 AS c SELECT ${Array.from({ length: size / 4 }, () => 'c').join(',')}`
  },
  'an expression of WITH in conditions': (size) => {
    const items = Array.from({ length: size / 4 }, () => '1').join(',')
    return `WITH (${items}).1 AS c SELECT 1 WHERE ${Array.from({ length: size / 10 }, () => 'c').join(' OR ')}`
  },
  'a window that is named often': (size) => {
    const items = Array.from({ length: size / 12 }, () => '1').join(',')
    const sums = Array.from({ length: size / 40 }, () => 'sum(1) OVER w').join(' + ')
    return `SELECT ${sums} FROM events WINDOW w AS (PARTITION BY ${items})`
  },
  'legs by name': (size) => {
    const columns = numbered((n) => `1 AS c${n}`, ',')(size / 2)
    return `SELECT ${columns} UNION ALL BY NAME SELECT ${columns}`
  },
  'elements of a page': nested('<a>', '</a>', '', SELECT),
  'attributes of an element': repeated(' a=1', 'SELECT <a', ' />'),
  comments: repeated('/* */ ', SELECT, '1'),
  'lines of comments': repeated('-- a\n', SELECT, '1'),
}

/** A call within itself, in each of its arguments. 60 levels are allowed: the size is their number. */
const MAX_LEVELS = 56

const ARGUMENTS: readonly ((call: string) => string)[] = [
  (call) => call,
  (call) => `${call}, 1`,
  (call) => `${call}, 'a'`,
  (call) => `'month', ${call}`,
  (call) => `'month', ${call}, now()`,
  (call) => `${call}, ['a', 'b'], ['c', 'd'], 'e'`,
  (call) => `[${call}, ${call.length < 200 ? call : "'a'"}]`,
]

const NAMES = new Set([...FUNCTIONS.map(({ name }) => name), ...FORMS.keys()])

function callWithinItself(name: string, argumentsOf: (typeof ARGUMENTS)[number], levels: number): string {
  let call = 'timestamp'
  for (let level = 0; level < levels; level += 1) call = `${name}(${argumentsOf(call)})`
  return `SELECT ${call} FROM events`
}

/** Most functions take the call in few of the places. Work that doubles with each level shows among all of them. */
const calls = [...NAMES].map((name) =>
  entry(
    name,
    MAX_LEVELS,
    {
      'within itself': (levels) =>
        ARGUMENTS.map((argumentsOf) => callWithinItself(name, argumentsOf, levels)),
    },
    async (queries: string[]) => {
      const results: unknown[] = []
      for (const query of queries) results.push(await refusalOf(() => compile(query)))
      return results
    },
  ),
)

const now = new Date('2026-03-10T12:00:00Z')

/** A database without rows. */
const NO_ROWS: object = Object.assign([], {
  select: () => NO_ROWS,
  from: () => NO_ROWS,
  where: () => NO_ROWS,
  groupBy: () => NO_ROWS,
  limit: () => NO_ROWS,
  batch: async (statements: unknown[]) => statements.map(() => []),
})
const context = { deps: { db: NO_ROWS as never }, project: { id: 1, timezone: 'UTC' } }

const compileInsight = async (query: unknown): Promise<unknown> =>
  compileQuery(context, await parseSent(query as Record<string, unknown>), now)

const series = [{ kind: 'EventsNode', event: 'opened' }]
const trends = (more: object) => ({ kind: 'TrendsQuery', series, ...more })
const property = (value: unknown) => ({ key: 'plan', type: 'event', operator: 'exact', value })

const many = (count: number, item: (index: number) => unknown) =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index))
const MAX_BODY = 1024 * 1024

/** Repeats a text as often as a value has parts, within a query. */
const oftenIn = (value: unknown) => (text: string, between: string) =>
  Array.from({ length: JSON.stringify(value).length / (2 * text.length) }, () => text).join(between)

interface InsightPart {
  max: number
  queryOf: (value: unknown) => unknown
  shapes?: Shapes
}

const INSIGHTS: Record<string, InsightPart> = {
  'the name of an event': {
    max: MAX_QUERY,
    queryOf: (event) => trends({ series: [{ kind: 'EventsNode', event }] }),
  },
  'the value of a filter': {
    max: MAX_BODY / 8,
    queryOf: (value) => trends({ properties: [property(value)] }),
  },
  'the name of a property': {
    max: MAX_QUERY,
    queryOf: (key) => trends({ properties: [{ ...property(1), key }] }),
  },
  'a pattern': {
    max: MAX_QUERY,
    queryOf: (value) => trends({ properties: [{ ...property(value), operator: 'regex' }] }),
    // Each item of a list is a pattern, whatever its type was.
    shapes: { ...TEXTS, ...someValues('a list of texts', 'a wide object', 'nested objects') },
  },
  'a breakdown': { max: MAX_QUERY, queryOf: (breakdown) => trends({ breakdownFilter: { breakdown } }) },
  'a formula': { max: MAX_QUERY, queryOf: (formula) => trends({ trendsFilter: { formula } }) },
  'a date': { max: MAX_QUERY, queryOf: (date_from) => trends({ dateRange: { date_from } }) },
  'an expression': {
    max: MAX_QUERY,
    queryOf: (key) => trends({ properties: [{ key, type: 'hogql', value: null }] }),
  },
  'variables of a query': {
    max: MAX_BODY,
    queryOf: (variables) => ({ kind: 'HogQLQuery', query: 'SELECT 1', variables }),
  },
  'values of a query': {
    max: MAX_BODY,
    queryOf: (values) => ({ kind: 'HogQLQuery', query: 'SELECT {a}', values }),
  },
  'a value of a query that is named often': {
    max: MAX_QUERY,
    queryOf: (a) => ({ kind: 'HogQLQuery', query: `SELECT ${oftenIn(a)('{a}', ', ')}`, values: { a } }),
  },
  // The work is the product of both sizes, up to the maximum of resolved expressions, which a sixteenth of the query reaches.
  'filters of a query that are named often': {
    max: MAX_QUERY / 4,
    // The other shapes are those of the value of a filter.
    shapes: someValues('a text', 'a list of numbers', 'a list of texts', 'nested lists', 'a wide object'),
    queryOf: (value) => ({
      kind: 'HogQLQuery',
      query: `SELECT 1 FROM events WHERE ${oftenIn(value)('{filters}', ' AND ')}`,
      filters: { properties: [property(value)] },
    }),
  },
}

const insights = Object.entries(INSIGHTS).map(([name, { max, queryOf, shapes = { ...VALUES, ...TEXTS } }]) =>
  entry(name, max, shapes, (value) => compileInsight(queryOf(value))),
)

const MANY: Shapes = {
  series: (size) => trends({ series: many(size / 60, () => series[0]) }),
  properties: (size) => trends({ properties: many(size / 60, (index) => property(`v${index}`)) }),
  'properties of each series': (size) =>
    trends({
      series: many(26, () => ({ ...series[0], properties: many(size / 1_500, (n) => property(`v${n}`)) })),
    }),
  breakdowns: (size) =>
    trends({
      breakdownFilter: { breakdowns: many(size / 30, (n) => ({ property: `p${n}`, type: 'event' })) },
    }),
  'groups of properties': (size) => {
    let group: unknown = property('a')
    for (let level = 0; level < Math.min(50, size / 40); level += 1) group = { type: 'AND', values: [group] }
    return trends({ properties: { type: 'AND', values: many(size / 2_000, () => group) } })
  },
  'steps of a funnel': (size) => ({ kind: 'FunnelsQuery', series: many(size / 60, () => series[0]) }),
  'columns of a table': (size) => ({
    kind: 'EventsQuery',
    select: many(size / 10, (n) => `properties.p${n}`),
  }),
  formulas: (size) => trends({ trendsFilter: { formulas: many(size / 10, () => 'A + A') } }),
  'excluded steps': (size) => ({
    kind: 'PathsQuery',
    pathsFilter: { excludeEvents: many(size / 10, (n) => `/a${n}`) },
  }),
}

const ENTRIES: readonly Entry[] = [
  entry('the text of a query', MAX_QUERY, { ...mapped(TEXTS, (text) => SELECT + text), ...GRAMMAR }, compile),
  ...calls,
  ...insights,
  entry('many parts of an insight', MAX_BODY, MANY, compileInsight),
]

itGrowsLinearly('queries', ENTRIES)
