// Computes the same checksum of a row on both sides of a copy: CRC32 of its columns as text. Sums of checksums do not depend on the order
// of rows.
import { crc32 } from 'node:zlib'
import type { ClickhouseRow } from '../../analytics/ingestion/clickhouse-sink'
import { CLICKHOUSE_TABLES, type ClickhouseTableName } from '../../analytics/clickhouse/tables'

export interface Sum {
  rows: number
  /** The sum of CRC32 values. It is a bigint, because 2^21 rows reach 2^53. */
  checksum: bigint
}

const NULL = '\\N'

/**
 * Returns the columns of a checksum. It leaves out the project, by which both sides are selected, and tombstones, which no sum includes.
 */
const columnsOf = (table: ClickhouseTableName): string[] =>
  Object.keys(CLICKHOUSE_TABLES[table].columns).filter(
    (name) => name !== 'project_id' && name !== 'is_deleted',
  )

/** Returns SQL of the checksum of a stored row. */
export function checksumSql(table: ClickhouseTableName): string {
  const texts = columnsOf(table).map((name) => `ifNull(toString(\`${name}\`), '\\\\N')`)
  return `CRC32(concat(${texts.join(`, '\\0', `)}))`
}

/** Returns the checksum of an inserted row. */
export const checksumOf = (table: ClickhouseTableName, row: ClickhouseRow): number =>
  crc32(
    columnsOf(table)
      .map((name) => row[name] ?? NULL)
      .join('\0'),
  )

export const isSameSum = (a: Sum, b: Sum): boolean => a.rows === b.rows && a.checksum === b.checksum

/** Adds a row to the sum of its key. */
export function addTo<Key>(sums: Map<Key, Sum>, key: Key, checksum: number): void {
  const sum = sums.get(key) ?? { rows: 0, checksum: 0n }
  sums.set(key, { rows: sum.rows + 1, checksum: sum.checksum + BigInt(checksum) })
}
