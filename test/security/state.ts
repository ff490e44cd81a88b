// All that is stored of a tenant, as one value to compare. Which tables these are comes from the schema: a new one is born compared.
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { env } from 'cloudflare:workers'
import * as schema from '../../drizzle'
import type { Tenant } from '../support/tenant'

/** Tables that hold no tenant's data: sign-ins at the chat provider that are over, counts of throttles, the state of key rotations, salts of a day, filler, and a table that is always empty. */
const NOBODYS = new Set<SQLiteTable>([
  schema.usedChatStates,
  schema.throttleWindows,
  schema.keyRotations,
  schema.visitorSalts,
  schema.reserve,
  schema.writeGuards,
])

/** Those that hold a tenant's data. */
export const tenantTables = Object.values<SQLiteTable>(schema).filter(
  (each) => is(each, SQLiteTable) && !NOBODYS.has(each),
)

/** What makes a row somebody's, by the column that says it: `?1` is the organization, `?2` the user. */
const OWNERS: Record<string, string> = {
  project_id: 'project_id IN (SELECT id FROM projects WHERE organization_id = ?1)',
  organization_id: 'organization_id = ?1',
  user_id: 'user_id = ?2',
}

/** The condition on rows of a table that are a tenant's: by their own columns, or by the rows that they belong to. */
function ownedBy(table: SQLiteTable): string {
  if (table === schema.organizations) return 'id = ?1'
  if (table === schema.users) return 'id = ?2'
  const { name, columns, foreignKeys } = getTableConfig(table)
  const own = columns.flatMap((column) => OWNERS[column.name] ?? [])
  if (own.length > 0) return own.join(' OR ')
  const owners = foreignKeys.map((key) => {
    const {
      columns: [column],
      foreignTable,
      foreignColumns: [theirs],
    } = key.reference()
    const { name: owner } = getTableConfig(foreignTable)
    return `${column!.name} IN (SELECT ${theirs!.name} FROM ${owner} WHERE ${ownedBy(foreignTable)})`
  })
  if (owners.length === 0) throw new Error(`nothing says whose the rows of ${name} are`)
  return owners.join(' OR ')
}

/** The rows of a table that are a tenant's, as one JSON array of arrays. */
function rowsOf(table: SQLiteTable): string {
  const { name, columns } = getTableConfig(table)
  const values = columns.map((column) => `"${column.name}"`).join(', ')
  return `(SELECT json_group_array(json_array(${values})) FROM "${name}" WHERE ${ownedBy(table)}) AS "${name}"`
}

const STATE = `SELECT ${tenantTables.map(rowsOf).join(',\n')}`

/** By table: the rows of the tenant's organization with its projects, and of its user. */
export async function stateOf({ organizationId, user }: Tenant): Promise<Record<string, unknown[][]>> {
  const row = await env.DB.prepare(STATE).bind(organizationId, user.id).first<Record<string, string>>()
  return Object.fromEntries(Object.entries(row!).map(([name, rows]) => [name, JSON.parse(rows)]))
}
