// Fills a migrated, empty database from the files of a backup. Existing rows stay, so that an interrupted restore can continue.
import { describePart, readLines } from './files'
import type { BackupPart } from '../../storage/backup/format'
import type { BackedUpDatabase, BackedUpTable } from '../../storage/backup/format'
import { markDone, stepsDone } from './progress'
import { insertOne, insertPacked, isPackable, MAX_PACKED_BYTES, type Value } from '../../storage/backup/rows'
import type { SqlDatabase } from '../sql-database'
import { isExcluded, readTables, type Table } from '../../storage/backup/tables'

/** The most rows of a statement. */
const MAX_PACKED_ROWS = 2_000

/**
 * Inserts all rows of each table, counts them, and marks the table with the number of missing rows. Rows may be missing when they changed
 * while the backup was read: a row that refers to one outside of the backup is left out, and so is one that has the unique value of
 * another.
 * @throws when the backup has a table or column that the database does not have, or fewer rows than the manifest says
 */
export async function fill(
  database: SqlDatabase,
  { tables, sequences }: BackedUpDatabase,
  { folder, say }: { folder: string; say(text: string): void },
): Promise<void> {
  const { binding } = database
  const known = await readTables(database)
  const done = await stepsDone(database)
  for (const backedUp of tables) {
    const step = `${binding}/${backedUp.name}`
    if (isExcluded(backedUp.name) || done.has(step)) continue
    const table = tableFor(backedUp, known, binding)
    for (const part of backedUp.parts) {
      if (done.has(part.file)) continue
      await fillPart(database, table, folder, part)
      say(describePart(part))
      await markDone(database, part.file)
    }
    const [count] = await database.query(`SELECT count(*) AS rows FROM "${table.name}"`)
    const missing = backedUp.rows - Number(count?.rows)
    if (missing < 0)
      throw new Error(`${binding} ${table.name} has ${-missing} rows that are not in the backup.`)
    await markDone(database, step, missing)
  }
  for (const [table, last] of Object.entries(sequences)) {
    for (const sql of SET_SEQUENCE) await database.query(sql, [table, last])
  }
}

/** A table without rows has no entry. */
const SET_SEQUENCE = [
  'INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1) AND ?2 > 0',
  'UPDATE sqlite_sequence SET seq = max(seq, CAST(?2 AS INTEGER)) WHERE name = ?1',
]

/** Returns the table with the columns in the order of the lines. */
function tableFor({ name, columns }: BackedUpTable, known: readonly Table[], binding: string): Table {
  const table = known.find((one) => one.name === name)
  if (!table) throw new Error(`${binding} has no table ${name}, which is in the backup.`)
  const unknown = columns.filter((column) => !table.columns.includes(column))
  if (unknown.length > 0) {
    throw new Error(
      `The table ${name} of ${binding} has no column ${unknown.join(', ')}, which is in the backup.`,
    )
  }
  return { ...table, columns }
}

async function fillPart(
  database: SqlDatabase,
  table: Table,
  folder: string,
  part: BackupPart,
): Promise<void> {
  const sql = insertPacked(table)
  let rows = 0
  let packed: string[] = []
  let bytes = 0
  const flush = async () => {
    if (packed.length > 0) await database.query(sql, [`[${packed.join(',')}]`])
    packed = []
    bytes = 0
  }
  for await (const line of readLines(folder, part)) {
    rows += 1
    if (!isPackable(line)) {
      const one = insertOne(table, JSON.parse(line) as Value[])
      await database.query(one.sql, one.params)
      continue
    }
    const size = Buffer.byteLength(line) + 1
    if (bytes + size > MAX_PACKED_BYTES || packed.length === MAX_PACKED_ROWS) await flush()
    packed.push(line)
    bytes += size
  }
  await flush()
  if (rows !== part.rows) throw new Error(`${part.file} has ${rows} rows, the manifest has ${part.rows}.`)
}
