// Every table of the schema has an owner and a policy, and the retention guide lists them.
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as main from '../../drizzle'
import * as shard from '../../drizzle/events'
import guide from '../../src/docs/guide/retention.md?raw'
import { retentionOfTables } from '../../src/docs/retention'
import { MAIN_POLICIES, SHARD_POLICIES } from '../../src/retention/policies'

const tablesOf = (schema: object) =>
  Object.values(schema).flatMap((member) => (is(member, SQLiteTable) ? getTableName(member) : []))

const SCHEMAS = [
  { database: 'DB', tables: tablesOf(main), pruned: MAIN_POLICIES.map(({ table }) => table) },
  {
    database: 'EVENTS',
    tables: tablesOf(shard),
    pruned: ['events', ...SHARD_POLICIES.map(({ table }) => table)],
  },
]

describe.each(SCHEMAS)('the tables of $database', ({ database, tables, pruned }) => {
  const described = retentionOfTables().filter((each) => each.database === database)

  it('have an owner and a policy', () => {
    expect(tables.length).toBeGreaterThan(5)
    expect(described.map(({ table }) => table).sort()).toEqual([...tables].sort())
  })

  it('are pruned if and only if a policy prunes them', () => {
    const documented = described.filter((each) => each.pruned).map(({ table }) => table)
    expect(documented.sort()).toEqual([...pruned].sort())
  })
})

it('the guide lists the tables of both databases', () => {
  const rows = new Set(guide.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim()))
  const expected = retentionOfTables().map(({ table, database, owner, ...words }) =>
    `| \`${table}\` | ${database} | ${owner} | ${words.kept} | ${words.pruned} | ${words.setting} |`.replaceAll(
      / +/g,
      ' ',
    ),
  )
  expect(expected.filter((row) => !rows.has(row))).toEqual([])
})
