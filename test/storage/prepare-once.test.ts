import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { prepareOnce } from '../../src/storage/prepare-once'
import { database } from '../support/tenant'

describe('a statement that is prepared once', () => {
  it('leaves SQLite no LIMIT or OFFSET to plan by', async () => {
    const selectSome = prepareOnce<{ limit: number; offset: number }, { id: number }[]>((db) =>
      db
        .select({ id: sql<number>`value`.as('value') })
        .from(sql`json_each('[1,2,3,4,5]')`)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    )
    const statement = selectSome(database(), { limit: 2, offset: 1 })
    const { sql: text } = (statement as unknown as { _prepare(): { getQuery(): { sql: string } } })
      ._prepare()
      .getQuery()
    expect(text).toMatch(/limit \(\? \+ 0\) offset \(\? \+ 0\)$/)
    expect(await statement).toEqual([{ id: 2 }, { id: 3 }])
    expect(await selectSome(database(), { limit: 1, offset: 4 })).toEqual([{ id: 5 }])
  })
})
