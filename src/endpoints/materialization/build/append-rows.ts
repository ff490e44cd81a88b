// Appending rows to the table of a build: within its quota, and only behind the rows that the caller knows of.
import { guardText, isGuardFailure } from '../../../storage/database'
import { countBytes, countRows, insertFrom, tableName } from '../tables'
import type { Begun } from './begin-build'
import { type BytesLeft, requireBytes } from './quota'
import { BuildLost } from './lease'
import type { Build } from './build-work'

interface Rows {
  /** How many rows the table has to have. */
  cursor: number
  /** SQL that gives columns `c0`, `c1` … */
  select: string
  values: (string | number | null)[]
  left: BytesLeft
}

/**
 * Appends rows.
 * @returns how many.
 * @throws BuildLost when the table has other rows: another consumer writes it. NotBuildable past the quota.
 */
export async function appendRows(
  { shard, deps, materialization: { id } }: Build,
  { building, plan }: Begun,
  { cursor, select, values, left }: Rows,
): Promise<number> {
  const table = tableName({ id, generation: building })
  const [, inserted, counted] = await shard
    .batch<{ bytes: number }>([
      shard.prepare(guardText(`${countRows(table)} = ?1`)).bind(cursor),
      shard.prepare(insertFrom(table, plan.columns, select, left.bytes)).bind(...values),
      shard.prepare(countBytes(table, plan.columns)).bind(cursor),
    ])
    .catch((error: unknown) => {
      throw isGuardFailure(error) ? new BuildLost('another consumer writes the rows') : error
    })
  requireBytes(deps.quota, left, counted!.results[0]?.bytes ?? 0)
  return inserted!.meta.changes
}

/** How many rows a table has. */
export const rowsIn = async (shard: D1Database, table: string): Promise<number> =>
  (await shard.prepare(`SELECT ${countRows(table)} AS n`).first<number>('n')) ?? 0
