import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featureFlags } from '../../drizzle'
import { fromJson } from '../../src/storage/columns'
import { packRow } from '../../src/storage/packed-row'
import { database } from '../support/tenant'

/** The only row of a packed select. */
async function readPacked(columns: Parameters<typeof packRow>[1], condition = sql`true`): Promise<unknown> {
  const [found] = await database()
    .select({ row: packRow(condition, columns).as('row') })
    .from(sql`(SELECT 1)`)
  return found!.row
}

describe('a packed row', () => {
  it('has every value of its columns, however many there are', async () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.maxSafeInteger(),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.json(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 80 }), async (values) => {
        const named = Object.fromEntries(values.map((each, at) => [`c${at}`, each]))
        const columns = Object.fromEntries(
          Object.entries(named).map(([name, each]) => {
            // D1 binds numbers as floating-point ones; those of columns are integers.
            const term = typeof each === 'number' ? sql.raw(String(each)) : sql`${each}`
            return [name, term.as(`alias_${name}`)]
          }),
        )
        expect(await readPacked(columns)).toEqual(named)
      }),
      { numRuns: 60 },
    )
  })

  it('decodes columns and JSON as a plain select does', async () => {
    const columns = {
      yes: sql`1`.mapWith(featureFlags.active),
      filters: sql`${'{"groups":[]}'}`.mapWith(featureFlags.filters),
      nothing: sql`NULL`.mapWith(featureFlags.filters),
      text: fromJson<string[]>(sql`${'["a","\\""]'}`),
      built: fromJson<string[]>(sql`(SELECT json_group_array(value) FROM json_each(${'["é","b"]'}))`),
    }
    const row = { yes: true, filters: { groups: [] }, nothing: null, text: ['a', '"'], built: ['é', 'b'] }
    expect(await readPacked(columns)).toEqual(row)
    const [plain] = await database()
      .select({
        yes: columns.yes.as('yes'),
        filters: columns.filters.as('filters'),
        nothing: columns.nothing.as('nothing'),
        text: columns.text.as('text'),
        built: columns.built.as('built'),
      })
      .from(sql`(SELECT 1)`)
    expect(plain).toEqual(row)
  })

  it('is one object for equal values, and another for others', async () => {
    const text = sql.placeholder('text')
    const row = packRow(sql`true`, { built: fromJson<string[]>(sql`json(${text})`) }).as('row')
    const select = database()
      .select({ row })
      .from(sql`(SELECT 1)`)
      .prepare()
    const read = async (value: string[]) => (await select.execute({ text: JSON.stringify(value) }))[0]!.row
    const first = await read(['a'])
    expect(first).toEqual({ built: ['a'] })
    expect(await read(['b'])).toEqual({ built: ['b'] })
    expect(await read(['a'])).toBe(first)
  })

  it('is null where its condition does not hold', async () => {
    expect(await readPacked({ one: sql`1` }, sql`1 > 2`)).toBeNull()
  })
})
