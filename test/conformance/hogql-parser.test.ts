// Our parser beside the reference's, which is slow: the same trees for a hundred queries of all parts of the tests, and for queries that are
// almost right: other ones each day, unless PARSER_SEED is set. `PARSER_RUNS=100000` compares every query of the tests.
import createReference, { type HogQLParser } from '@posthog/hogql-parser'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { HogqlError } from '../../src/hogql/error'
import { parseExpression, parseQuery } from '../../src/hogql/parser/parse'
import { THEMES } from '../hogql/corpus/queries'
import { CALLS, QUERIES } from '../hogql/functions/cases'
import { PUBLISHED } from '../hogql/published/published'
import { dailySeed } from '../support/daily-seed'

const RUNS = Number(process.env.PARSER_RUNS || 100)
const SEED = Number(process.env.PARSER_SEED || dailySeed())

let reference: HogQLParser
beforeAll(async () => {
  reference = await createReference()
})

/** RUNS of them, from all parts of the list. */
function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(all.length / RUNS))
  return all.filter((_, index) => index % step === SEED % step)
}

const texts = {
  queries: spread([
    ...Object.values(THEMES).flatMap((queries) => queries.map(({ sql }) => sql)),
    ...QUERIES.map(({ sql }) => sql),
    ...PUBLISHED.flatMap(({ queries }) => queries),
  ]),
  expressions: spread(Object.values(CALLS).flatMap((calls) => calls.map(([expression]) => expression))),
}
type Kind = keyof typeof texts

/** Absent, null and false are one. Trees of the reference lack places of some nodes, and end before an OFFSET or a name of a table. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, field]) => name === 'value' || (field !== null && field !== false && field !== undefined),
      )
      // The reference drops WITH ROLLUP, WITH CUBE and WITH TOTALS.
      .filter(([name]) => !['start', 'end', 'with_totals', 'group_by_mode'].includes(name))
      .map(([name, field]) => [name, comparable(field)]),
  )
}

function referenceTree(kind: Kind, text: string): unknown {
  const json = kind === 'queries' ? reference.parseSelect(text, true) : reference.parseExpr(text, true)
  const tree = JSON.parse(json) as { error?: boolean }
  return tree.error ? null : comparable(tree)
}

function ownTree(kind: Kind, text: string): unknown {
  try {
    return comparable(kind === 'queries' ? parseQuery(text) : parseExpression(text))
  } catch (error) {
    if (error instanceof HogqlError) return null
    throw error
  }
}

describe.each(Object.keys(texts) as Kind[])(`trees of %s (PARSER_SEED=${SEED})`, (kind) => {
  it('are those of the reference', () => {
    const different = texts[kind].filter((text) => {
      if (text.length > MAX_LENGTH || TAG.test(text)) return false
      const [theirs, ours] = [referenceTree(kind, text), ownTree(kind, text)]
      return theirs !== null && JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(theirs))
    })
    expect(different).toEqual([])
  }, 240_000)

  it('are those of the reference for texts that are almost right, or there is an error', () => {
    const short = texts[kind].filter((text) => text.length < 90 && !TAG.test(text))
    const change = fc.tuple(fc.nat(), fc.constantFrom('remove', 'add', 'replace'), fc.constantFrom(...PIECES))
    fc.assert(
      fc.property(
        fc.constantFrom(...short),
        fc.array(change, { minLength: 1, maxLength: 2 }),
        (text, changes) => {
          const tokens = text.match(TOKEN)!
          for (const [at, how, piece] of changes) {
            const removed = how === 'add' ? 0 : 1
            tokens.splice(at % tokens.length, removed, ...(how === 'remove' ? [] : [` ${piece} `]))
          }
          const changed = tokens.join('')
          fc.pre(!KEYWORD_AS_NAME.test(changed))
          const ours = ownTree(kind, changed)
          const theirs = ours === null ? null : referenceTree(kind, changed)
          if (theirs !== null) expect(sorted(ours), changed).toEqual(sorted(theirs))
        },
      ),
      { seed: SEED, numRuns: RUNS },
    )
  }, 240_000)
})

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, field]) => [name, sorted(field)] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value

/** Tags are refused here. */
const TAG = /<[a-z]+[ >]/i

/** The reference takes seconds for some longer texts. */
const MAX_LENGTH = 500

const TOKEN = /'(?:[^'\\]|\\.)*'|[\w$]+|\s+|[<>=!]=|->|::|\|\||[^]/g

/** The reference takes a keyword for the name of a field or function here: `DISTINCT and`, `f(select ('a'))`. */
const KEYWORD_AS_NAME = /\bdistinct\s+(and|or)\b|\(\s*select\s*\(/i

const PIECES =
  "not and or in as between is null distinct from where ( ) , [ ] { } ? : . * - + limit offset by order group select 'a' 1 a b -> :: array join left on using cast interval day like = < ?? ?. case when then end else over with final"
    .split(' ')
    .concat('union all', 'f(', 'as x', 'is not null', 'order by')
