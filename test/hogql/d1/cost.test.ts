// The cost of queries against what D1 makes of them: no value is larger than its bound. Every function of the catalogue has a case, and is
// refused without a bound.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindable } from '../../../src/analytics/engine/bindable'
import { parameterValues } from '../../../src/analytics/engine/parameter-values'
import { createSteps, evaluate, PAGE } from '../../../src/hogql/cost/amount'
import { Ledger } from '../../../src/hogql/cost/ledger'
import { estimateQuery } from '../../../src/hogql/cost/select'
import { HogqlError } from '../../../src/hogql/error'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { resolve } from '../../../src/hogql/resolve'
import { printSqlite } from '../../../src/hogql/sqlite/print'
import { NOW, propertyType } from '../corpus/dataset'
import { CALLS } from '../functions/cases'

/** What D1 gives for expressions of constants: the bytes of each value beside their bound. */
async function sizesOf(
  expressions: readonly string[],
  timezone = 'UTC',
): Promise<[bytes: number, bound: number][]> {
  const sql = `SELECT ${expressions.join(', ')}`
  const resolved = resolve(await parseQuery(sql), {
    sql,
    timezone,
    variables: {},
    propertyTypes: propertyType,
  })
  const { columns } = estimateQuery(
    resolved.query,
    {
      ledger: new Ledger(),
      ctes: [],
      outer: null,
      canMeasure: false,
      estimate: (query, scope) => estimateQuery(query, scope),
    },
    PAGE,
  )
  const { place, steps } = createSteps()
  const places = columns.map(({ bytes }) => place(bytes.max))
  const known = { statistic: () => 0, variable: () => 0, page: 1, measured: () => undefined }
  const bounds = evaluate(steps, known)
  const query = printSqlite(resolved, { timezone })
  const values = parameterValues(query, {
    projectId: 0,
    timezone,
    now: NOW,
    variables: new Map(),
    limit: 1,
    offset: 0,
    queryId: null,
  }).map(bindable)
  const sizes = expressions.map((_, index) => `ifnull(octet_length(c${index}), 0) AS c${index}`)
  const [row = []] = await env.EVENTS.prepare(`SELECT ${sizes.join(', ')} FROM (${query.sql})`)
    .bind(...values)
    .raw<number[]>()
  return row.map((bytes, index) => [bytes, bounds[places[index]!]!])
}

/** The expressions whose values are larger than their bounds. */
async function violations(expressions: readonly string[], timezone?: string) {
  const sizes = await sizesOf(expressions, timezone)
  return expressions
    .map((expression, index) => ({ expression, bytes: sizes[index]![0], bound: sizes[index]![1] }))
    .filter(({ bytes, bound }) => !(bytes <= bound))
}

describe.each(Object.entries(CALLS))('bounds of %s', (_, cases) => {
  const zones = Object.entries(Object.groupBy(cases, ([, , timezone]) => timezone ?? 'UTC'))

  it.each(zones)('in %s', async (timezone, calls = []) => {
    for (let start = 0; start < calls.length; start += 12) {
      const expressions = calls.slice(start, start + 12).map(([expression]) => expression)
      expect(await violations(expressions, timezone)).toEqual([])
    }
  })
})

/** A text of HogQL. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const { text } = fc.letrec<{ text: string; list: string; leaf: string }>((tie) => {
  const count = fc.integer({ min: 0, max: 12 })
  const of = (format: (...args: (string | number)[]) => string, ...args: fc.Arbitrary<string | number>[]) =>
    fc.tuple(...args).map((all) => format(...all))
  return {
    leaf: fc
      .string({ unit: fc.constantFrom('a', 'ß', '€', '😀', '"', '\\', "'", ',', ' ', '\n'), maxLength: 6 })
      .map(quoted),
    text: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      of((one, other) => `concat(${one}, ${other})`, tie('text'), tie('text')),
      of((one, times) => `repeat(${one}, ${times})`, tie('text'), count),
      of(
        (one, pattern, other) => `replaceAll(${one}, ${pattern}, ${other})`,
        tie('text'),
        tie('leaf'),
        tie('text'),
      ),
      of(
        (one, pattern, other) => `replaceOne(${one}, ${pattern}, ${other})`,
        tie('text'),
        tie('leaf'),
        tie('text'),
      ),
      of((one, length, other) => `leftPad(${one}, ${length}, ${other})`, tie('text'), count, tie('leaf')),
      of((one, length) => `rightPad(${one}, ${length})`, tie('text'), count),
      of((one) => `upper(${one})`, tie('text')),
      of((one) => `reverse(${one})`, tie('text')),
      of((one) => `toJSONString(${one})`, tie('text')),
      of(
        (one, from, length) => `substring(${one}, ${from}, ${length})`,
        tie('text'),
        fc.integer({ min: 1, max: 9 }),
        count,
      ),
      of((one, other) => `arrayStringConcat(${one}, ${other})`, tie('list'), tie('text')),
      of((one) => `toString(${one})`, tie('list')),
    ),
    list: fc.oneof(
      { maxDepth: 3 },
      of((one, other) => `[${one}, ${other}]`, tie('text'), tie('text')),
      of((separator, one) => `splitByString(${separator}, ${one})`, tie('leaf'), tie('text')),
      of((end, one) => `arrayMap(x -> concat(toString(x), ${one}), range(${end}))`, count, tie('text')),
      of((one, other) => `arrayConcat(${one}, ${other})`, tie('list'), tie('list')),
      of((one, other) => `arrayMap(x -> concat(x, ${other}), ${one})`, tie('list'), tie('text')),
      of((one) => `arrayDistinct(${one})`, tie('list')),
      of((one) => `arrayReverse(arraySort(${one}))`, tie('list')),
      of((one, length) => `arraySlice(${one}, 1, ${length})`, tie('list'), fc.integer({ min: 1, max: 9 })),
    ),
  }
})

describe('bounds of functions of functions', () => {
  it('are kept by all texts that grow', async () => {
    let tried = 0
    await fc.assert(
      fc.asyncProperty(text, async (expression) => {
        try {
          expect(await violations([expression])).toEqual([])
          tried += 1
        } catch (error) {
          // Some are too deep for the database, or may become too large for it.
          if (!(error instanceof HogqlError) && !/too large|too complex|TOOBIG|too deep/.test(String(error)))
            throw error
        }
      }),
      { numRuns: 60 },
    )
    expect(tried).toBeGreaterThan(30)
  }, 60_000)
})
