// Regular expressions that the detector of `npm run check` cannot clear, measured with the text that is hardest for each.
import { describe, expect, it } from 'vitest'
import { email, MAX_EMAIL_LENGTH } from '../../src/account/identity-fields'
import { parseDateForm } from '../../src/evaluation/values/date'
import { compileBacktracking } from '../../src/evaluation/regex/backtracking'
import { characterClass } from '../../src/evaluation/regex/character-sets'
import { HogqlError } from '../../src/hogql/error'
import { RECURSION_ERROR } from '../../src/hogql/functions/limits'
import { sortableVersion } from '../../src/hogql/computed/texts'
import { tokensIn } from '../../src/hogql/parser/lexer'
import { mapReferences } from '../../src/import/references'
import { expectLinear } from './growth-ratio'

const SIZE = 10_000

/** Hostile text: what comes first, and what is repeated. */
const textOf =
  (first: string, repeated: string, last = '') =>
  (size: number) =>
    first + repeated.repeat(Math.ceil(size / repeated.length)) + last

function tokens(sql: string): void {
  try {
    tokensIn(sql)
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
  }
}

describe('tokens of a query', () => {
  it.each([
    ['names that begin as tags do', textOf('', ',<a')],
    ['a long name that begins as a tag does', textOf(',<', 'a')],
    ['comparisons with names', textOf('', '<a ')],
    ['comments in one line', textOf('', 'a --')],
    ['comments', textOf('', '--')],
    ['a comment without an end', textOf('/*', '*/ /*', '')],
    ['quotes', textOf("'", "''")],
    ['escapes', textOf("'", '\\q')],
    ['escaped quotes', textOf("'", "\\'")],
  ])('takes time in proportion to %s', (_, text) => expectLinear(text, tokens, SIZE))
})

describe('sets in a class of characters', () => {
  it.each([
    ['properties without an end', textOf('', '\\p{')],
    ['a long property without an end', textOf('\\p{', 'a')],
    ['properties', textOf('', '\\p{L}')],
    ['escapes', textOf('', '\\')],
  ])('takes time in proportion to %s', (_, text) =>
    expectLinear(text, (source) => void characterClass(source, false), SIZE),
  )
})

describe('cohorts in the text of a query', () => {
  const keep = (reference: unknown) => reference as never
  const references = { cohort: keep, flag: keep, groupType: keep, variable: keep }
  const map = (query: string) => mapReferences({ kind: 'HogQLQuery', query }, references)

  it('finds the name of a cohort, and skips texts and comments', () => {
    const cohort = () => 'new'
    const mapped = mapReferences(
      { kind: 'HogQLQuery', query: `IN COHORT 'a' -- COHORT 'a'\n'COHORT ''a'/* COHORT 1` },
      { ...references, cohort },
    )
    expect(mapped).toEqual({
      kind: 'HogQLQuery',
      query: `IN COHORT 'new' -- COHORT 'a'\n'COHORT ''a'/* COHORT 1`,
    })
  })

  it.each([
    ['escaped quotes', textOf("'", "\\'")],
    ['doubled quotes', textOf("'", "''")],
    ['comments without an end', textOf('', '/*')],
    ['names without an end', textOf('', "COHORT '\\'")],
    ['blanks', textOf('COHORT', ' ')],
  ])('takes time in proportion to %s', (_, text) => expectLinear(text, map, SIZE))
})

describe('other texts', () => {
  it('reads an address of at most 254 characters', () => {
    expect(MAX_EMAIL_LENGTH).toBe(254)
    expectLinear(textOf('a@', 'a.'), (text) => email().safeParse(text), SIZE)
  })

  it.each([
    ['digits', textOf('', '1')],
    ['blanks', textOf('', ' ')],
    ['signs', textOf('1.2.3-', '-+')],
  ])('takes time in proportion to %s of a version', (_, text) => expectLinear(text, sortableVersion, SIZE))

  it.each([
    ['blanks', textOf('5', ' ')],
    ['letters', textOf('mon', 'x')],
    ['hyphens', textOf('5', '-')],
    ['digits', textOf('2024/01/05 10:00:00.', '1')],
  ])('takes time in proportion to %s of a date', (_, text) => expectLinear(text, parseDateForm, SIZE))

  it('takes time in proportion to a set of characters', () => {
    expectLinear(textOf('(?=[', 'ab-z', '])'), compileBacktracking, 100)
  })

  it('names the error of a recursion by a text without repetitions', () => {
    expect(RECURSION_ERROR).toMatch(/^[\w ]+$/)
  })
})
