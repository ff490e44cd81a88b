// The retention guide lists every table of the schema, with its owner and its policy.
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as main from '../../drizzle'
import * as shard from '../../drizzle/events'
import guide from '../../src/docs/guide/retention.md?raw'
import { MAIN_POLICIES, type Policy, SHARD_POLICIES } from '../../src/retention/policies'
import { DEFAULTS } from '../../src/retention/settings'

const tablesOf = (schema: object) =>
  Object.values(schema).flatMap((member) => (is(member, SQLiteTable) ? getTableName(member) : []))

/** Events have a procedure of their own. */
const EVENTS: Pick<Policy, 'table' | 'days'> = { table: 'events', days: 'EVENTS_RETENTION_DAYS' }

const SCHEMAS: {
  database: string
  tables: string[]
  policies: Pick<Policy, 'table' | 'days' | 'newest'>[]
}[] = [
  { database: 'DB', tables: tablesOf(main), policies: [...MAIN_POLICIES] },
  { database: 'EVENTS', tables: tablesOf(shard), policies: [EVENTS, ...SHARD_POLICIES] },
]

/** Rows of the guide's table. */
const ROWS = guide
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [name = '', database, owner, bound, pruned = '', setting] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return { table: name.replaceAll('`', ''), database, owner, bound, pruned, setting }
  })

function ageInWords({ days }: Pick<Policy, 'days'>): string {
  if (typeof days === 'string') return 'N days'
  if (days === 0) return 'after its expiry'
  return days === 1 ? 'a day' : `${days} days`
}

describe.each(SCHEMAS)('the tables of $database', ({ database, tables, policies }) => {
  const described = ROWS.filter((row) => row.database === database)

  it('have an owner and a policy', () => {
    expect(tables.length).toBeGreaterThan(5)
    expect(described.map(({ table }) => table).sort()).toEqual([...tables].sort())
    expect(described.filter(({ owner, bound }) => !owner || !bound)).toEqual([])
  })

  it('are pruned if and only if a policy prunes them', () => {
    const documented = described.filter(({ pruned }) => pruned).map(({ table }) => table)
    expect(documented.sort()).toEqual(policies.map(({ table }) => table).sort())
  })

  it.each(policies)('$table is pruned at the age and by the setting of its policy', (policy) => {
    const { pruned, setting } = described.find(({ table }) => table === policy.table)!
    const name = policy.newest ?? policy.days
    expect(pruned).toContain(ageInWords(policy))
    expect(setting).toBe(typeof name === 'string' ? `\`${name}\`: ${DEFAULTS[name] || 'empty'}` : '')
  })

  it('have a setting only by their policy', () => {
    const pruned = new Set(policies.map(({ table }) => table))
    expect(described.filter(({ table, setting }) => setting && !pruned.has(table))).toEqual([])
  })
})
