// Appends rows to the table of a build: within the quota, and only after the rows that the caller knows.
import { guardText } from '../../../storage/database'
import { countBytes, countRows, insertFrom, tableName } from '../tables'
import type { BegunBuild } from './begin-build'
import { type BytesLeft, requireBytes } from './quota'
import type { Build } from './build-work'

interface Rows {
  /** The number of rows that the table is expected to have. */
  cursor: number
  /** SQL with the columns `c0`, `c1`, … */
  select: string
  values: (string | number | null)[]
  left: BytesLeft
}

/**
 * Returns the number of rows that were appended.
 * @throws a guard failure when an earlier statement, which timed out, has written since; NotBuildable past the quota
 */
export async function appendRows(
  { shard, deps, materialization: { id } }: Build,
  { building, columns }: BegunBuild,
  { cursor, select, values, left }: Rows,
): Promise<number> {
  const table = tableName({ id, generation: building })
  const [, inserted, counted] = await shard.batch<{ bytes: number }>([
    shard.prepare(guardText(`${countRows(table)} = ?1`)).bind(cursor),
    shard.prepare(insertFrom(table, columns, select, left.bytes)).bind(...values),
    shard.prepare(countBytes(table, columns)).bind(cursor),
  ])
  requireBytes(deps.quota, left, counted!.results[0]?.bytes ?? 0)
  return inserted!.meta.changes
}

export const rowsIn = async (shard: D1Database, table: string): Promise<number> =>
  (await shard.prepare(`SELECT ${countRows(table)} AS n`).first<number>('n')) ?? 0
