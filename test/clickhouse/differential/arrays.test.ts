// Functions of arrays whose elements may be NULL, are all NULL, or are missing, on D1 and on the real ClickHouse engine: the same values, or a
// refusal when the query is compiled.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { QueryEngine } from '../../../src/analytics/engine/query-engine'
import { ApiError } from '../../../src/errors'
import { compileHogql, type Compiled } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
import type { Expected, ScalarFunction } from '../../../src/hogql/functions/spec'
import { NOW } from '../../hogql/corpus/dataset'
import { type Engines, startEngines } from './engines'
import { sameValue } from './tolerance'

/** Columns of a query. */
const AT_ONCE = 40
/** One in so many calls is tried; with `FUZZ_RUNS`, each. */
const STRIDE = process.env.FUZZ_RUNS ? 1 : 8

type ElementKind = 'number' | 'text' | 'moment' | 'tuple' | 'array' | 'none'

const ARRAYS: Readonly<Record<ElementKind, readonly string[]>> = {
  number: [
    '[1, 2, 2]',
    "[toInt('3'), 2, 2]",
    '[2, NULL, 2]',
    "[toInt('x'), toInt('y')]",
    'arrayFilter(e -> e > 9, [1])',
    "arrayFilter(e -> e > 9, [toInt('1')])",
    "[toFloat('1.5'), 2.0, -1.0]",
    "[toFloat('1.5'), NULL, 2.5]",
    "[toFloat('x')]",
    "[toBool('true'), false]",
    'arrayConcat([NULL], [1])',
    'arrayConcat([], [1])',
  ],
  text: ["[nullIf('a', 'b'), 'b']", "['b', NULL, '']", "[nullIf('a', 'a')]"],
  moment: ["[toDate('2026-01-02'), toDate('x')]", "[toDateTime('2026-01-02 03:04:05'), toDateTime('x')]"],
  tuple: ["[(toInt('1'), 'a'), (2, 'b')]"],
  array: ["[[toInt('1'), 2], []]"],
  none: ['[NULL, NULL]', '[]'],
}

const ELEMENTS: Readonly<Record<ElementKind, readonly string[]>> = {
  number: ['2', "toInt('2')", "toInt('x')", 'NULL', "toFloat('2')"],
  text: ["'b'", "nullIf('b', 'c')", "nullIf('b', 'b')", 'NULL'],
  moment: ['NULL'],
  tuple: ["(2, 'b')"],
  array: ['[2]', 'NULL'],
  none: ['2', "nullIf('b', 'b')", 'NULL'],
}

/** Values of an argument of each type that functions of arrays take besides arrays. */
const OTHERS: Readonly<Partial<Record<Expected, readonly string[]>>> = {
  integer: ['2', "toInt('2')", "toInt('x')", 'NULL', '0', '-1', 'number + 2'],
  string: [
    "','",
    "nullIf(',', 'a')",
    "nullIf(',', ',')",
    'NULL',
    "''",
    "'ab'",
    "'é'",
    "substring('a,', number + 2)",
  ],
  lambda: ['x', 'x > 1', 'toFloat(x)', "toInt('x')", 'x IS NULL', '1 = 1'],
}

const KINDS = Object.keys(ARRAYS) as ElementKind[]

/** Calls of a function with arrays of a kind: each argument in turn has all its values, and all arrays are the same or the first. */
function callsWith(name: string, takes: readonly Expected[], kind: ElementKind): string[] {
  const arrays = takes.filter((each) => each === 'array').length
  const parameters = ['x', 'y', 'z'].slice(0, arrays).join(', ')
  const valuesOf = (each: Expected): readonly string[] => {
    if (each === 'array') return ARRAYS[kind]
    if (each === 'any') return ELEMENTS[kind]
    const others = OTHERS[each] ?? []
    return each === 'lambda' ? others.map((body) => `(${parameters}) -> ${body}`) : others
  }
  const firsts = takes.map((each) => valuesOf(each)[0])
  return takes.flatMap((each, place) =>
    valuesOf(each).flatMap((value) => {
      const args = firsts.with(place, value)
      const written = (array?: string) =>
        `${name}(${args.map((arg, at) => (array !== undefined && takes[at] === 'array' ? array : arg)).join(', ')})`
      if (each === 'array') return [written(), written(value)]
      return arrays === 0 ? [written()] : ARRAYS[kind].map(written)
    }),
  )
}

const callsOf = (name: string, takes: readonly Expected[]): string[] =>
  (takes.some((each) => each === 'array' || each === 'any') ? KINDS : KINDS.slice(0, 1)).flatMap((kind) =>
    callsWith(name, takes, kind),
  )

function allCalls(): string[] {
  const scalars = FUNCTIONS.filter((spec): spec is ScalarFunction => spec.kind === 'scalar')
  const calls = scalars.flatMap((spec) => {
    const least = spec.takes.length - (spec.optional ?? 0)
    const most = spec.takes.length + (spec.rest ? 1 : 0)
    const hasArray =
      [...spec.takes, spec.rest].includes('array') || spec.name === 'range' || spec.name.startsWith('splitBy')
    if (!hasArray) return []
    const counts = Array.from({ length: most - least + 1 }, (_, more) => least + more)
    const lambdas = spec.mayTakeLambda ? callsOf(spec.name, ['lambda', 'array']) : []
    return [
      ...counts.flatMap((count) =>
        callsOf(spec.name, [...spec.takes, ...(spec.rest ? [spec.rest] : [])].slice(0, count)),
      ),
      ...lambdas,
    ]
  })
  const reduced = [
    'any',
    'anyLast',
    'avg',
    'count',
    'groupArray',
    'groupUniqArray',
    'max',
    'min',
    'sum',
    'uniq',
  ].flatMap((name) =>
    Object.values(ARRAYS)
      .flat()
      .map((array) => `arrayReduce('${name}', ${array})`),
  )
  const macros = [
    ...callsOf('arrayWithConstant', ['integer', 'any']),
    ...callsOf('arrayResize', ['array', 'integer']),
    ...callsOf('arrayResize', ['array', 'integer', 'any']),
    ...callsOf('generateSeries', ['integer', 'integer']),
    ...callsOf('reverse', ['array']),
    ...callsOf('length', ['array']),
    ...callsOf('empty', ['array']),
    ...callsOf('notEmpty', ['array']),
    ...callsOf('length', ['array']),
  ]
  return [...new Set([...calls, ...reduced, ...macros])]
}

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('differential_arrays')
})
afterAll(() => engines?.stop())

async function compiled(sql: string): Promise<Compiled | null> {
  try {
    return await compileHogql(sql, { timezone: 'UTC', variables: {}, propertyTypes: () => undefined })
  } catch (error) {
    if (error instanceof HogqlError) return null
    throw error
  }
}

async function valuesOn(engine: QueryEngine, { queries }: Compiled): Promise<unknown[][] | string> {
  const query = queries[engine.dialect]
  if (!('sql' in query)) return 'refused'
  try {
    const run = {
      projectId: 1,
      timezone: 'UTC',
      now: NOW,
      variables: new Map(),
      limit: 1000,
      offset: 0,
      queryId: null,
    }
    return (await engine.run(query, run)).rows
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return String(error.code)
    return `failed: ${String(error instanceof Error ? (error.cause ?? error) : error).slice(0, 300)}`
  }
}

async function differencesOf(calls: readonly string[]): Promise<unknown[]> {
  const some = await compiled(`SELECT ${calls.join(', ')} FROM numbers(1)`)
  if (!some) return []
  const [one, other] = await Promise.all([valuesOn(engines.d1, some), valuesOn(engines.clickhouse, some)])
  if (typeof one === 'string' || typeof other === 'string') {
    if (calls.length > 1) {
      const found: unknown[] = []
      for (const call of calls) found.push(...(await differencesOf([call])))
      return found
    }
    return one === other || one === 'refused' || other === 'refused'
      ? []
      : [[calls[0], { d1: one, clickhouse: other }]]
  }
  return calls.flatMap((call, at) =>
    sameValue('', call, one[0]?.[at], other[0]?.[at])
      ? []
      : [[call, { d1: one[0]?.[at], clickhouse: other[0]?.[at] }]],
  )
}

it('give the same, or are refused when compiled', { timeout: 600_000 }, async () => {
  const accepted: string[] = []
  const calls = allCalls().filter((_, place) => place % STRIDE === 0)
  for (const call of calls) if (await compiled(`SELECT ${call} FROM numbers(1)`)) accepted.push(call)
  // What is refused is not compared.
  expect(accepted.length).toBeGreaterThan(1_500 / STRIDE)
  const found: unknown[] = []
  for (let start = 0; start < accepted.length; start += AT_ONCE)
    found.push(...(await differencesOf(accepted.slice(start, start + AT_ONCE))))
  expect(found).toEqual([])
})
