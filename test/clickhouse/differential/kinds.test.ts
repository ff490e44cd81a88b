// Values of every two kinds where HogQL finds one type for both, or compares them: D1 and ClickHouse give the same rows, or the compiler says
// what it does not take. Neither engine rejects what was compiled.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { QueryEngine } from '../../../src/analytics/engine/query-engine'
import { ApiError } from '../../../src/errors'
import { type Compiled, compileHogql } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { comparable } from '../../hogql/corpus/compare'
import { NOW } from '../../hogql/corpus/dataset'
import { createRandom } from '../faults/random'
import { type Engines, startEngines } from './engines'
import { propertyType, rowsOf } from './rows'
import { sameValue } from './tolerance'

const PROJECT = 3000

/** Values by their kinds. */
const KINDS: Readonly<Record<string, string>> = {
  text: 'event',
  'constant text': "'a'",
  'constant text of a number': "'1'",
  integer: 'length(event)',
  'constant integer': '1',
  float: 'length(event) / 2',
  boolean: 'toBool(length(event))',
  'constant boolean': 'true',
  date: 'toDate(timestamp)',
  datetime: 'timestamp',
  'constant date': "'2024-02-29'",
  null: 'NULL',
  'untyped property': 'properties.word',
  'numeric property': 'properties.number',
  'boolean property': 'properties.flag',
  'date property': 'properties.moment',
  'text property': 'properties.text',
  'element of texts': "splitByChar(',', ifNull(properties.list, ''))[1]",
  'element of numbers': '[length(event), 2][1]',
  'JSON text': "JSONExtractRaw(properties, 'number')",
  'JSON number': "JSONExtractInt(properties, 'number')",
  array: '[length(event)]',
  'array of texts': "['a', event]",
  tuple: '(length(event), event)',
}

/** Columns of a row, of the values `$a` and `$b`. */
const OF_A_ROW: readonly string[] = [
  '$a = $b',
  '$a != $b',
  '$a IN ($b)',
  "$a IN ($b, 'one')",
  "$a NOT IN (1, $b, 'one')",
  "$a IN (true, $b, 'a', NULL)",
  '($a, event) IN (($b, event), (1, event))',
  '$a IN (SELECT $b FROM events)',
  '$a IN [$b]',
  'has([$b], $a)',
  'has([$b, NULL], $a)',
  'has(groupArray($b) OVER (), $a)',
  'indexOf([$b], $a)',
  'countEqual([$b, $b], $a)',
  'hasAny([$a], [$b])',
  'hasAll([$a, $b], [$b])',
  'arrayIntersect([$a], [$b])',
  'hasAny([$a], groupArray($b) OVER ())',
  'CASE $a WHEN $b THEN 1 ELSE 0 END',
  'if(length(event) = 1, $a, $b)',
  "multiIf(event = 'a', $a, event = 'b', $b, NULL)",
  "CASE WHEN event = 'a' THEN $a ELSE $b END",
  'ifNull($a, $b)',
  'coalesce($a, $b)',
  'nullIf($a, $b)',
  '[$a, $b]',
  'greatest($a, $b)',
  'least($a, $b)',
  'lag($a, 1, $b) OVER (ORDER BY uuid)',
  'lead($a, 1, $b) OVER (ORDER BY uuid)',
  "map('a', $a, 'b', $b)",
  "map('a', $a)['b'] = $b",
  'if(tuple($a) = tuple($b), 1, 0)',
  'arrayPushBack([$a], $b)',
  'arrayConcat([$a], [$b])',
  "transform($a, [$b], ['found'], 'none')",
  '$a BETWEEN $b AND $b',
  '$a IS DISTINCT FROM $b',
]

/** ClickHouse has no NULL for arrays and tuples, and takes no constant NULL as the values of an aggregate. */
const isUnknownToClickhouse = (template: string, a: string, b: string): boolean => {
  const isCompound = [a, b].some((value) => value.startsWith('[') || value.startsWith('('))
  const mayGiveNull = a === 'NULL' || b === 'NULL' || /nullIf|lag|lead/.test(template)
  return (isCompound && mayGiveNull) || (b === 'NULL' && template.includes('groupArray'))
}

/** Whole queries. */
const OF_QUERIES: readonly string[] = [
  'SELECT $a AS x FROM events UNION ALL SELECT $b FROM events',
  'SELECT count() FROM (SELECT $a AS x FROM events) AS l JOIN (SELECT $b AS y FROM events) AS r ON l.x = r.y',
  'SELECT ifNull(x, y) FROM (SELECT $a AS x, $b AS y FROM events)',
]

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('kinds')
  await engines.load(PROJECT, rowsOf(createRandom(7), true, 24))
})
afterAll(() => engines?.stop())

const fill = (template: string, a: string, b: string): string =>
  template.replaceAll('$a', () => a).replaceAll('$b', () => b)

const asQuery = (columns: readonly string[]): string =>
  `SELECT uuid, ${columns.join(', ')} FROM events ORDER BY uuid`

/** Null for what the compiler rejects with a message. */
async function compiledOrNull(sql: string): Promise<Compiled | null> {
  try {
    return await compileHogql(sql, { timezone: 'UTC', variables: {}, propertyTypes: propertyType })
  } catch (error) {
    if (error instanceof HogqlError && error.message !== '') return null
    throw new Error(sql, { cause: error })
  }
}

const isForBoth = ({ queries }: Compiled): boolean => 'sql' in queries.sqlite && 'sql' in queries.clickhouse

async function rowsOn(engine: QueryEngine, { queries }: Compiled): Promise<unknown[][] | string> {
  const query = queries[engine.dialect]
  if (!('sql' in query)) return query.refusal
  try {
    const { rows } = await engine.run(query, {
      projectId: PROJECT,
      timezone: 'UTC',
      now: NOW,
      variables: new Map(),
      limit: 10_000,
      offset: 0,
      queryId: null,
    })
    return rows
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.detail}` : String(error)
  }
}

interface Difference {
  sql: string
  d1: unknown
  clickhouse: unknown
}

async function differencesIn(columns: readonly string[]): Promise<Difference[]> {
  const [first, ...others] = columns
  if (first === undefined) return []
  const compiled = await compiledOrNull(asQuery(columns))
  const [one, other] = compiled
    ? [await rowsOn(engines.d1, compiled), await rowsOn(engines.clickhouse, compiled)]
    : ['', '']
  if (typeof one === 'string' || typeof other === 'string') {
    if (others.length === 0) return [{ sql: first, d1: one, clickhouse: other }]
    return [...(await differencesIn([first])), ...(await differencesIn(others))]
  }
  return columns.flatMap((sql, at) => {
    const row = one.findIndex((values, place) => !sameValue('', sql, values[at + 1], other[place]?.[at + 1]))
    return row < 0 ? [] : [{ sql, d1: one[row]?.[at + 1], clickhouse: other[row]?.[at + 1] }]
  })
}

async function differenceOf(sql: string): Promise<Difference[]> {
  const compiled = await compiledOrNull(sql)
  if (compiled === null || !isForBoth(compiled)) return []
  const [one, other] = [await rowsOn(engines.d1, compiled), await rowsOn(engines.clickhouse, compiled)]
  const isSame =
    typeof one !== 'string' &&
    typeof other !== 'string' &&
    sameValue('', sql, comparable(one), comparable(other))
  return isSame ? [] : [{ sql, d1: one, clickhouse: other }]
}

const SHARE = process.env.FUZZ_RUNS ? 1 : 6
let turn = Number(process.env.FUZZ_SEED || 1)

/** Some of the templates, of each pair others. `FUZZ_RUNS=1` tries all of them. */
const some = (templates: readonly string[]): string[] => {
  turn += 1
  return templates.filter((_, index) => (index + turn) % SHARE === 0)
}

const PAIRS = Object.keys(KINDS).map((kind) => [kind] as const)

it.each(PAIRS)('a %s beside each kind', { timeout: 300_000 }, async (kind) => {
  const a = KINDS[kind]!
  const found: Difference[] = []
  for (const b of Object.values(KINDS)) {
    const columns: string[] = []
    for (const template of some(OF_A_ROW)) {
      if (isUnknownToClickhouse(template, a, b)) continue
      const column = fill(template, a, b)
      const compiled = await compiledOrNull(asQuery([column]))
      if (compiled && isForBoth(compiled)) columns.push(column)
    }
    found.push(...(await differencesIn(columns)))
    for (const template of some(OF_QUERIES)) {
      if (!isUnknownToClickhouse(template, a, b)) found.push(...(await differenceOf(fill(template, a, b))))
    }
  }
  expect(found).toEqual([])
})
