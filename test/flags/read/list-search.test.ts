// What `search` looks through, and what a space in it stands for.
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchable, searchFor } from '../../../src/flags/read/name-search'
import { experiment } from '../../support/database/rows'
import { propertyRuns } from '../../support/property-runs'
import { createTenant, database, type Tenant } from '../../support/tenant'

async function found(tenant: Tenant, search: string): Promise<string[]> {
  const { status, body } = await tenant.get(`${tenant.flags()}?${new URLSearchParams({ search })}`)
  expect(status).toBe(200)
  expect(body.count).toBe(body.results.length)
  return body.results.map(({ key }: { key: string }) => key).sort()
}

describe('list filter search', () => {
  it('searches key and name, in any case', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'web-Analytics', name: 'Dashboards of PAGES' })
    await tenant.flag({ key: 'other', name: '' })
    for (const term of ['web', 'ANALYTICS', 'b-a', 'pages', 'of', 's of p', '  web  '])
      expect(await found(tenant, term)).toEqual(['web-Analytics'])
    expect(await found(tenant, 'nothing')).toEqual([])
  })

  it('ignores a term of nothing but white space', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'here' })
    for (const term of ['', ' ', '\t\n']) expect(await found(tenant, term)).toEqual(['here'])
  })

  it('does not match across key and name', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'one', name: 'two' })
    expect(await found(tenant, 'onetwo')).toEqual([])
    expect(await found(tenant, 'one two')).toEqual([])
  })

  it('takes a space for any run of white space, - and _, also an empty one', async () => {
    const tenant = await createTenant()
    for (const key of ['web-analytics', 'web_analytics', 'web--__analytics', 'webanalytics', 'webXanalytics'])
      await tenant.flag({ key })
    await tenant.flag({ key: 'named', name: 'web \t analytics' })
    const matching = ['named', 'web--__analytics', 'web-analytics', 'web_analytics', 'webanalytics']
    expect(await found(tenant, 'web ana')).toEqual(matching)
    expect(await found(tenant, 'web   ana')).toEqual(matching)
    expect(await found(tenant, 'web-ana')).toEqual(['web-analytics'])
  })

  it('takes the characters of patterns literally', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'a', name: '100% (of .*) [x] \\d ? ^$ | {2} "q" \' ; --' })
    await tenant.flag({ key: 'b', name: '100 of anything' })
    for (const term of ['100%', '.*', '[x]', '\\d', '?', '^$', '|', '{2}', '"q"', "'", '; --', '(of .*)'])
      expect(await found(tenant, term)).toEqual(['a'])
    expect(await found(tenant, '%')).toEqual(['a'])
    expect(await found(tenant, '_')).toEqual([])
  })

  it('looks through the names of linked experiments that are not deleted', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const tested = await tenant.flag({ key: 'tested' })
    const formerly = await tenant.flag({ key: 'formerly' })
    await experiment(tenant, tested.id, { name: 'Checkout Colour' })
    await experiment(tenant, formerly.id, { name: 'Checkout Colour', deleted: true })
    await experiment(other, tested.id, { name: 'Their Words' })
    expect(await found(tenant, 'checkout col')).toEqual(['tested'])
    expect(await found(tenant, 'their')).toEqual([])
  })

  it('follows a flag that is renamed', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'before', name: 'Éclair' })
    expect(await found(tenant, 'éclair')).toEqual(['before'])
    await tenant.patch(tenant.flags(flag.id), { key: 'after', name: 'plain' })
    expect(await found(tenant, 'before')).toEqual([])
    expect(await found(tenant, 'éclair')).toEqual([])
    expect(await found(tenant, 'after')).toEqual(['after'])
  })

  it('rejects a term of over 200 characters', async () => {
    const tenant = await createTenant()
    const search = (length: number, letter = 'x') =>
      tenant.get(`${tenant.flags()}?search=%20${encodeURIComponent(letter.repeat(length))}`)
    expect((await search(200)).status).toBe(200)
    expect((await search(200, '😀')).status).toBe(200)
    expect((await search(201, '😀')).status).toBe(400)
    const response = await search(201)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail: 'Search term cannot exceed 200 characters',
      attr: null,
    })
  })

  it('takes as many words as fit into 200 characters', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'long', name: 'x-'.repeat(100) })
    await tenant.flag({ key: 'short', name: 'x-'.repeat(99) })
    expect(await found(tenant, 'x '.repeat(100))).toEqual(['long'])
  })
})

describe('searchFor', () => {
  /** The rule of upstream, as a regular expression. */
  const patternOf = (term: string) =>
    new RegExp(
      term
        .toLowerCase()
        .split(/ +/)
        .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
        .join(String.raw`[\s\-_]*`),
    )

  const over = (alphabet: string[], maxLength: number) =>
    fc.array(fc.constantFrom(...alphabet), { maxLength }).map((letters) => letters.join(''))
  const textual = over(['a', 'b', '😀', ' ', '-', '_', '\t'], 12)
  const termed = over(['a', 'b', '😀', ' ', '-', '_'], 14)
    .map((term) => term.trim())
    .filter((term) => term !== '')

  /** Whether a search finds each text, as a list would find it. */
  async function finds(pairs: readonly (readonly [text: string, term: string])[]): Promise<boolean[]> {
    const db = database()
    const statements = pairs.map(([text, term]) =>
      db
        .select({ isFound: sql<number>`${searchFor(term)('hay.text')}`.as('is_found') })
        .from(sql`(SELECT ${searchable(text)} AS text) hay`),
    )
    const [first, ...rest] = statements
    return (await db.batch([first!, ...rest])).map(([row]) => row!.isFound === 1)
  }

  it.each([
    ['aaab', 'aa b', true],
    ['a--b', 'a - -b', true],
    ['a-b', 'a - -b', false],
    ['a-x-b', 'a b', false],
    ['a-b c-d', 'a b c d', true],
    ['a-b c-d', 'ab c d', false],
    ['a-b c-d', 'abc-d', false],
    ['w-e-b ana', 'web ana', false],
    ['a b-c_d\te', 'a b c d e', true],
    ['abcde', 'a b c d e', true],
    ['a-b-c', 'a-b c', true],
  ])('%j holds %j: %s', async (text, term, expected) => {
    expect(await finds([[text, term]])).toEqual([expected])
    expect(patternOf(term).test(text)).toBe(expected)
  })

  it.each([
    ['a-bc d e', 'a b c d e'],
    ['a-b - c', 'a-b c'],
  ])('%j does not hold %j, whose spaces match the same, although it does upstream', async (text, term) => {
    expect(await finds([[text, term]])).toEqual([false])
    expect(patternOf(term).test(text)).toBe(true)
  })

  const pairsOf = (terms: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(textual, terms), { minLength: 20, maxLength: 20 })
  const expected = (pairs: readonly (readonly [text: string, term: string])[]) =>
    pairs.map(([text, term]) => patternOf(term).test(text))

  it('agrees with the reference for terms of at most four words without separators inside', async () => {
    const word = fc.constantFrom('a', 'b', 'aa', 'ab', '😀')
    const short = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    await fc.assert(
      fc.asyncProperty(pairsOf(short), async (pairs) => {
        expect(await finds(pairs)).toEqual(expected(pairs))
      }),
      { numRuns: propertyRuns(15, 100) },
    )
  })

  it('finds nothing that the reference does not, so that a bulk delete never deletes more', async () => {
    await fc.assert(
      fc.asyncProperty(pairsOf(termed), async (pairs) => {
        const wanted = expected(pairs)
        const excess = (await finds(pairs)).filter((isFound, at) => isFound && !wanted[at])
        expect(excess).toEqual([])
      }),
      { numRuns: propertyRuns(15, 100) },
    )
  })

  it('finds nothing by the marks of the stored form', async () => {
    expect(
      await finds([
        ['a-b', '\u001e'],
        ['a-b', '\u001f'],
        ['a-b', 'b\u001ea'],
      ]),
    ).toEqual([false, false, false])
  })
})
