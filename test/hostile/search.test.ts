// A search costs time linear in the text it looks through, whatever the term and the text hold.
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { MAX_SEARCH_LENGTH } from '../../src/http/fields'
import { MAX_SEARCHED_NAME, searchable, searchFor, searchTextOf } from '../../src/flags/read/name-search'
import { createTenant } from '../support/tenant'

/** As many words as a term can have, each of which a text of `x-x-…` holds everywhere; the last one is nowhere. */
const WORDS = [...Array.from({ length: MAX_SEARCH_LENGTH / 2 - 1 }, () => 'x'), 'y']

describe('a search for many words', () => {
  it('is at most eight calls of instr() in SQL', () => {
    const dialect = new SQLiteAsyncDialect()
    for (const term of ['a', 'a b', 'a b c', 'a b c d', WORDS.join(' '), 'a-b c', `${'a'.repeat(197)} b`]) {
      const { sql, params } = dialect.sqlToQuery(searchFor(term)('t.x'))
      expect(sql).toMatch(/^\(?instr\(t\.x, \?\) > 0( or instr\(t\.x, \?\) > 0)*\)?$/)
      expect(params.length).toBeLessThanOrEqual(8)
      for (const text of params) expect(String(text).length).toBeLessThanOrEqual(MAX_SEARCH_LENGTH)
    }
  })

  it('reads each flag once, in one round trip, however long the names are', async () => {
    const tenant = await createTenant()
    const name = 'x-'.repeat(5_000)
    for (let i = 0; i < 20; i += 1) await tenant.flag({ key: `long-${i}`, name })
    await tenant.flag({ key: 'found', name: `${'x-'.repeat(WORDS.length - 1)}y` })
    const search = new URLSearchParams({ search: WORDS.join(' ') })
    const response = await tenant.get(`${tenant.flags()}?${search}`)
    expect(response.body.results.map(({ key }: { key: string }) => key)).toEqual(['found'])
    expect(response.line.d1_round_trips).toBe(1)
    expect(response.line.d1_rows_read).toBeLessThanOrEqual(150)
  })
})

describe('the text that a search looks through', () => {
  it('is bounded, for names of any length', () => {
    const stored = searchTextOf({ key: 'k'.repeat(400), name: 'n-'.repeat(5_000) })
    expect(stored.length).toBeLessThanOrEqual(2 * (400 + 1 + MAX_SEARCHED_NAME) + 1)
    expect(searchable('plain')).toBe('plain')
  })
})

describe('a search term', () => {
  it.each([
    ['property_definitions/?', { attr: 'search', code: 'max_length' }],
    ['endpoints/any/logs/?', { attr: 'search', code: 'max_length' }],
  ])('of over 200 characters is refused at %s', async (path, refusal) => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'any' })
    const at = (length: number) =>
      tenant.get(`/api/projects/${tenant.projectId}/${path}search=${'x'.repeat(length)}`)
    expect((await at(MAX_SEARCH_LENGTH)).status).toBe(200)
    const response = await at(MAX_SEARCH_LENGTH + 1)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      type: 'validation_error',
      detail: 'Ensure this field has no more than 200 characters.',
      ...refusal,
    })
  })
})
