// Queries whose rows may be kept: the checks of every variable at every place of a query.
import { compileMaterialization } from '../../../../src/endpoints/materialization/compile-materialization'
import { MAX_VARIABLES } from '../../../../src/endpoints/query/query-variables'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, type Shapes } from '../shapes'

/** Characters of a query, at most. Shapes with more parts than a query may have are smaller. */
const MAX_QUERY = 100_000

const list = (count: number, item: (index: number) => string, separator = ','): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index)).join(separator)

const NAMES = Array.from({ length: MAX_VARIABLES }, (_, index) => `v${index}`)

/** Comparisons with as many variables as the size has a share of, all of them at the largest. */
const variables = (size: number): string =>
  list(
    Math.min(90, (90 * size) / MAX_QUERY),
    (index) => `properties.p${index} = {variables.v${index}}`,
    ' AND ',
  )

const carried = (size: number, tables: string, last = 't0') =>
  `WITH t0 AS (SELECT event FROM events WHERE ${variables(size)}), ${tables} SELECT event FROM ${last}`

const total = (size: number, clauses: string) =>
  `SELECT ${list(size / 160, (index) => `sum(${index}) AS a${index}`)} FROM events WHERE properties.p >= {variables.v0} ${clauses}`

const QUERIES: Shapes<string> = {
  'other conditions': (size) =>
    `SELECT event FROM events WHERE ${variables(size)} AND ${list(size / 40, (index) => `properties.q${index} = 1`, ' AND ')}`,
  'a long list': (size) =>
    `SELECT event FROM events WHERE ${variables(size)} AND event IN (${list(size / 12, (index) => `'${index}'`)})`,
  'columns and groups': (size) => {
    const groups = (end: (index: number) => string) =>
      list(size / 160, (index) => `concat(event, 'g${index}')${end(index)}`)
    return `SELECT ${groups((index) => ` AS a${index}`)}, count() AS c FROM events
      WHERE properties.p >= {variables.v0} GROUP BY ${groups(() => '')}`
  },
  'a long HAVING': (size) =>
    total(size, `HAVING ${list(size / 40, (index) => `sum(0) > ${index}`, ' AND ')}`),
  'a long ORDER BY': (size) =>
    total(size, `ORDER BY ${list(size / 40, () => `sum(${Math.floor(size / 160) - 1})`)}`),
  'CTEs that read the one with the variables': (size) =>
    carried(
      size,
      list(size / 100, (index) => `t${index + 1} AS (SELECT event FROM t${Math.min(index, 5)})`),
      't5',
    ),
  'a UNION in a CTE that reads the one with the variables': (size) =>
    carried(size, `t1 AS (${list(size / 120, () => 'SELECT event FROM t0', ' UNION ALL ')})`),
  'CTEs that read others': (size) =>
    carried(
      size,
      list(size / 50, (index) => `s${index} AS (SELECT 1 AS a)`),
    ),
  'CTEs with a variable each': (size) => {
    const count = Math.max(1, Math.floor((90 * size) / MAX_QUERY))
    const own = list(
      count,
      (index) => `s${index} AS (SELECT event FROM events WHERE properties.p = {variables.v${index}})`,
    )
    return `WITH ${own}, ${list(size / 100, (index) => `t${index} AS (SELECT event FROM s${index % count})`)} SELECT 1 FROM events`
  },
  'a variable within functions with long arguments': (size) =>
    `SELECT event FROM events WHERE properties.p = ${'concat('.repeat(50)}{variables.v0},${list(size / 8, () => '1')}${')'.repeat(50)}`,
  'fields with the name of a variable': (size) =>
    `SELECT event FROM events WHERE concat(event, ${list(size / 20, () => "'a'")}) = {variables.v0}
      AND arrayExists(v0 -> (${list(size / 40, () => 'v0 = 1', ' OR ')}), [1])`,
}

const facts = {
  variables: Object.fromEntries(NAMES.map((name) => [name, 'String' as const])),
  types: () => undefined,
  cohorts: new Map(),
  actions: new Map(),
}

/** Checks a query as each write of an endpoint does. */
const compiledOf = (query: string): Promise<unknown> => {
  const named = NAMES.filter((name) => query.includes(`{variables.${name}}`))
  return compileMaterialization(
    { deps: { db: null as never }, project: { id: 1, timezone: 'UTC' }, dialect: 'sqlite', facts },
    {
      query: {
        kind: 'HogQLQuery',
        query,
        variables: Object.fromEntries(named.map((name) => [name, { variableId: name, code_name: name }])),
      },
      name: 'kept',
      version: 1,
      bucketOverrides: null,
      optionalBreakdownProperties: [],
    },
  )
}

const ENTRIES: readonly Entry[] = [entry('a query whose rows may be kept', MAX_QUERY, QUERIES, compiledOf)]

itGrowsLinearly('materialized queries', ENTRIES)
