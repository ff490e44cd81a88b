// The tables of a database as a backup reads and fills them.
import { type Queryable, readSchema, RESTORE_TABLE } from './schema'

export interface Reference {
  columns: string[]
  table: string
  targets: string[]
}

export interface Table {
  name: string
  columns: string[]
  /** The primary key, whose columns identify a row and order the pages. */
  key: string[]
  references: Reference[]
}

/** Tables that a backup and a restore leave out, because a restore or the service creates them again. */
const EXCLUDED: Readonly<Record<string, string>> = {
  sessions: 'a restore ends all sessions',
  login_challenges: 'a sign-in under way begins again',
  password_resets: 'a restore ends all links',
  visitor_salts: 'ids of visitors cannot be computed again once a day has passed',
  webhook_deliveries: 'a restore sends nothing again',
  endpoint_results: 'cached answers',
  materialized_tables: 'lists the tables of materialized rows, which are built again',
  key_rotations: 'a restored service restarts a rotation',
  reserve: 'space that the daily trigger takes again',
  write_guards: 'always empty',
  people_volumes: 'triggers count the rows of other tables',
  property_definition_counts: 'triggers count the rows of another table, and a restore counts them again',
  event_volumes: 'a restore counts the events',
  event_sessions: 'triggers add up events',
}

export const isExcluded = (name: string): boolean => name in EXCLUDED

/**
 * The table that is read last of the main database. It has a task for the pending work on shards of every change that was read before.
 * Copies of people whose task is done may still be on the queue, so that a restore adds tasks for all people.
 */
const LAST = 'outbox'

/** Matches tables of D1, SQLite and the tools, and tables of materialized rows. */
export const isInternal = (name: string): boolean =>
  /^(sqlite_|_cf_|mat_[0-9a-f]{32}_)/.test(name) || name === 'd1_migrations' || name === RESTORE_TABLE

/**
 * Reads the tables that belong to a backup, each after those to which it refers. A row that is added while the backup is read is then in
 * the backup with everything to which it refers; if one of these is missing, a restore leaves the row out.
 * @throws when a table has no primary key, or tables refer to each other in a circle
 */
export async function readTables(database: Queryable): Promise<Table[]> {
  const { tables: all } = await readSchema(database.query)
  const names = all.filter((name) => !isInternal(name) && !isExcluded(name))
  const named = [JSON.stringify(names)]
  const columns = await database.query(
    `SELECT n.value AS "table", c.name, c.pk FROM json_each(?1) n CROSS JOIN pragma_table_info(n.value) c ORDER BY n.id, c.cid`,
    named,
  )
  const references = await database.query(
    `SELECT n.value AS "table", f.id, f."table" AS target, f."from" AS "column", f."to" AS target_column
      FROM json_each(?1) n CROSS JOIN pragma_foreign_key_list(n.value) f ORDER BY n.id, f.id, f.seq`,
    named,
  )
  const tables = names.map((name): Table => {
    const own = columns.filter(({ table }) => table === name)
    const key = own.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
    if (key.length === 0)
      throw new Error(`The table ${name} has no primary key: its rows cannot be backed up.`)
    const byId = Map.groupBy(
      references.filter(({ table }) => table === name),
      ({ id }) => id,
    )
    return {
      name,
      columns: own.map((column) => String(column.name)),
      key: key.map((column) => String(column.name)),
      references: [...byId.values()].map((parts) => ({
        table: String(parts[0]!.target),
        columns: parts.map(({ column }) => String(column)),
        targets: parts.map((part) => String(part.target_column)),
      })),
    }
  })
  return inOrder(tables)
}

/** Sorts each table after those to which it refers, and otherwise in the given order. The outbox is last. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  const waiting = new Set([
    ...tables.filter(({ name }) => name !== LAST),
    ...tables.filter(({ name }) => name === LAST),
  ])
  while (waiting.size > 0) {
    const isWaiting = (name: string) => [...waiting].some((table) => table.name === name)
    const next = [...waiting].find(({ references }) => !references.some(({ table }) => isWaiting(table)))
    if (!next) {
      throw new Error(`Tables refer to each other: ${[...waiting].map(({ name }) => name).join(', ')}`)
    }
    waiting.delete(next)
    ordered.push(next)
  }
  return ordered
}
