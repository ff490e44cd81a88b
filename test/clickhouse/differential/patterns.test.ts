// Regular expressions that nobody wrote, of texts that nobody wrote: the Worker computes for D1 what ClickHouse computes.
// `FUZZ_RUNS=500 FUZZ_SEED=7 npm run test:clickhouse -- test/clickhouse/differential/patterns` tries more, of other chance.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { QueryEngine } from '../../../src/analytics/engine/query-engine'
import { ApiError } from '../../../src/errors'
import { compileHogql } from '../../../src/hogql/compile'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { NOW } from '../../hogql/corpus/dataset'
import { createRandom, type Random } from '../faults/random'
import { type Engines, startEngines } from './engines'

const RUNS = Number(process.env.FUZZ_RUNS || 40)
const SEED = Number(process.env.FUZZ_SEED || 1)

const CHARACTERS = ['a', 'b', 'A', '1', '2', '/', '.', '-', ' ', '\n', 'é', 'ß', '日', '🦊', '_', '']
const ATOMS =
  'a b 1 / \\. - é 日 . \\d \\w \\W \\s \\S \\b ^ $ [a-z] [^/] [[:alpha:]] \\p{L} [ab1] (?i)a (?-s). ab a1'.split(
    ' ',
  )
const REPETITIONS = ['', '', '', '*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{0,2}?']

const textOf = (random: Random): string =>
  Array.from({ length: random.below(9) }, () => random.pick(CHARACTERS)).join('')

function patternOf(random: Random, depth = 2): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const atom =
      depth > 0 && random.isLikely(0.25)
        ? `${random.pick(['(', '(?:'])}${patternOf(random, depth - 1)})`
        : random.pick(ATOMS)
    return /^$|[\^$]$|\\b|^\(\?/.test(atom) ? atom : atom + random.pick(REPETITIONS)
  })
  return random.isLikely(0.15) ? `${parts.join('')}|${patternOf(random, 0)}` : parts.join('')
}

const quoted = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('patterns')
})
afterAll(() => engines?.stop())

async function outcomeOn(engine: QueryEngine, query: CompiledQuery): Promise<unknown> {
  const run = {
    projectId: 0,
    timezone: 'UTC',
    now: NOW,
    variables: new Map(),
    limit: 100,
    offset: 0,
    queryId: null,
  }
  try {
    return (await engine.run(query, run)).rows
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return 'rejected'
    throw error
  }
}

it('gives the same on D1 and on ClickHouse', { timeout: 600_000 }, async () => {
  const random = createRandom(SEED)
  let answered = 0
  for (let run = 0; run < RUNS; run += 1) {
    const written = patternOf(random)
    const pattern = quoted(written)
    // ClickHouse takes the replacement of a pattern without operators literally, if its text is no constant.
    const replacement = /[\\[(^$.|?*+{]/.test(written) ? "'<\\\\0>'" : "'<>'"
    const texts = [...new Set(Array.from({ length: 12 }, () => quoted(textOf(random))))]
    const calls = [
      'match(t, p)',
      'extract(t, p)',
      'extractAll(t, p)',
      'countMatches(t, p)',
      'splitByRegexp(p, t)',
    ]
    // Of an empty match beside a character of several bytes, ClickHouse copies one byte.
    const isAscii = texts.every((text) => !/[^\n -~]/.test(text))
    const all = isAscii ? [...calls, `replaceRegexpAll(t, p, ${replacement})`] : calls
    const columns = [...all, `replaceRegexpOne(t, p, ${replacement})`].map((call) =>
      call.replace(/\bp\b/, () => pattern),
    )
    const sql = `SELECT t, ${columns.join(', ')} FROM (SELECT arrayJoin([${texts.join(', ')}]) AS t) ORDER BY t`
    const { queries } = await compileHogql(sql, {
      timezone: 'UTC',
      variables: {},
      propertyTypes: () => undefined,
    })
    if (!('sql' in queries.sqlite) || !('sql' in queries.clickhouse)) throw new Error(`not compiled: ${sql}`)
    const [one, other] = [
      await outcomeOn(engines.d1, queries.sqlite),
      await outcomeOn(engines.clickhouse, queries.clickhouse),
    ]
    expect({ sql, rows: one }).toEqual({ sql, rows: other })
    if (one !== 'rejected') answered += 1
  }
  expect(answered).toBeGreaterThan(RUNS / 2)
})
