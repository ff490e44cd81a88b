// Regular expressions of texts, and functions of URLs, all of chance: D1, with the Worker, computes what ClickHouse computes.
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

/** Expects the same rows of both engines. Returns whether they answer. */
async function isAnswered(sql: string): Promise<boolean> {
  const { queries } = await compileHogql(sql, {
    timezone: 'UTC',
    variables: {},
    propertyTypes: () => undefined,
  })
  if (!('sql' in queries.sqlite) || !('sql' in queries.clickhouse)) throw new Error(`not compiled: ${sql}`)
  const rows = await outcomeOn(engines.d1, queries.sqlite)
  expect({ sql, rows }).toEqual({ sql, rows: await outcomeOn(engines.clickhouse, queries.clickhouse) })
  return rows !== 'rejected'
}

const rowsOfTexts = (columns: readonly string[], texts: readonly string[]) =>
  `SELECT t, ${columns.join(', ')} FROM (SELECT arrayJoin([${texts.join(', ')}]) AS t) ORDER BY t`

it('finds the same matches', { timeout: 600_000 }, async () => {
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
    const ascii = [
      `replaceRegexpAll(t, p, ${replacement})`,
      ...(/\((?!\?)/.test(written) ? ['extractAllGroups(t, p)'] : []),
    ]
    const all = isAscii ? [...calls, ...ascii] : calls
    const columns = [...all, `replaceRegexpOne(t, p, ${replacement})`].map((call) =>
      call.replace(/\bp\b/, () => pattern),
    )
    if (await isAnswered(rowsOfTexts(columns, texts))) answered += 1
  }
  expect(answered).toBeGreaterThan(RUNS / 2)
})

const URL_PARTS = [
  [
    'http://',
    'https://',
    '//',
    '',
    'ftp://',
    'HTTP://',
    'mailto:',
    'http:/',
    '://',
    'a+b.c://',
    'file:///',
    '1http://',
  ],
  [
    'example.com',
    'www.Example.co.uk',
    'localhost',
    'u:p@a.b.com',
    'a.b:8080',
    '127.0.0.1:80',
    '',
    'www.',
    'a_b.c',
    'u@host',
  ],
  ['', '/', '/a/b', '/a//b/', '/a;p=1/b', '?', '/a?', '//x', '/.', '/a#', '/?/#'],
  [
    '',
    '?a=1',
    '?a=1&b=2&a=3',
    '?',
    '?a',
    '?a=&b',
    '?=1',
    '?a=b=c',
    '?xa=1&a=2',
    '?a=1?b=2',
    '?&a=1&&b=2',
    '??a=1',
  ],
  ['', '#', '#f', '#a=9&b=1', '#/x?a=7', '#f#g', '#/x/y'],
]
const URL_CALLS =
  'protocol domain domainWithoutWWW topLevelDomain path pathFull queryString fragment cutQueryString cutFragment cutQueryStringAndFragment queryStringAndFragment cutWWW port extractURLParameters extractURLParameterNames URLHierarchy URLPathHierarchy'
    .split(' ')
    .map((name) => `${name}(t)`)

it('takes the same parts of URLs', { timeout: 600_000 }, async () => {
  const random = createRandom(SEED)
  const columns = [
    ...URL_CALLS,
    ...['a', 'b', 'A', ''].flatMap((name) => [
      `extractURLParameter(t, '${name}')`,
      `cutURLParameter(t, '${name}')`,
    ]),
  ]
  for (let run = 0; run < RUNS; run += 1) {
    const urls = new Set(
      Array.from({ length: 12 }, () => quoted(URL_PARTS.map((part) => random.pick(part)).join(''))),
    )
    expect(await isAnswered(rowsOfTexts(columns, [...urls]))).toBe(true)
  }
})
