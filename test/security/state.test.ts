// That "nothing changed" means what it says: whatever is written about a tenant, in whichever table, is noticed.
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/tenant'
import { stateOf, tenantTables } from './state'

const nameOf = (table: SQLiteTable) => getTableConfig(table).name

/** The table's parents go before it. */
function inOrder(tables: readonly SQLiteTable[]): Set<SQLiteTable> {
  const ordered = new Set<SQLiteTable>()
  const visit = (table: SQLiteTable) => {
    for (const key of getTableConfig(table).foreignKeys) visit(key.reference().foreignTable)
    ordered.add(table)
  }
  for (const table of tables) visit(table)
  return ordered
}

/** Adds a row of the tenant's: of what it has to hold, only whose it is means anything. */
async function addRow(table: SQLiteTable, { organizationId, projectId, user }: Tenant): Promise<void> {
  const { name, columns, foreignKeys } = getTableConfig(table)
  const whose: Record<string, string | number> = {
    organization_id: organizationId,
    project_id: projectId,
    user_id: user.id,
  }
  const values: Record<string, string> = {}
  for (const column of columns) {
    if (column.name in whose) values[column.name] = `'${whose[column.name]}'`
    else if (column.notNull && !column.hasDefault) values[column.name] = "'7'"
  }
  for (const { reference } of foreignKeys) {
    const { columns: here, foreignTable, foreignColumns } = reference()
    const [column, theirs] = [here[0]!.name, foreignColumns[0]!.name]
    if (column in values && !(column in whose)) {
      const parent = nameOf(foreignTable)
      values[column] =
        `(SELECT "${theirs}" FROM "${parent}" WHERE rowid = (SELECT max(rowid) FROM "${parent}"))`
    }
  }
  const into = Object.keys(values).map((column) => `"${column}"`)
  await env.DB.prepare(
    `INSERT INTO "${name}" (${into.join()}) VALUES (${Object.values(values).join()})`,
  ).run()
}

/** Changes the newest row of a table, which is the tenant's. */
async function changeRow(table: SQLiteTable): Promise<void> {
  const { name, columns } = getTableConfig(table)
  const changed = columns.at(-1)!.name
  // A table without row ids has its key for one.
  const id = name === 'property_definition_counts' ? 'project_id' : 'rowid'
  await env.DB.prepare(
    `UPDATE "${name}" SET "${changed}" = 'changed' WHERE ${id} = (SELECT max(${id}) FROM "${name}")`,
  ).run()
}

it('detects writes to any table of the schema', async () => {
  const [other, tenant] = [await createTenant(), await createTenant()]
  const theirs = await stateOf(other)
  for (const table of inOrder(tenantTables)) {
    const name = nameOf(table)
    const before = await stateOf(tenant)
    if (before[name]!.length > 0) await changeRow(table)
    else await addRow(table, tenant)
    expect((await stateOf(tenant))[name], name).not.toEqual(before[name])
  }
  expect(await stateOf(other)).toEqual(theirs)
})
