// Tables of materialized rows: one per build, named by materialization and generation. The names contain no user input.
import type { CompiledQuery, Statement } from '../../hogql/compiled'
import { STORED_TABLE } from '../../hogql/compiled'
import { sumOf } from '../../storage/sum-of'

export interface StoredTableName {
  /** The id of the materialization. */
  id: string
  generation: number
}

/** @throws for an invalid id: the name becomes part of SQL */
export function tableName({ id, generation }: StoredTableName): string {
  const hex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(hex) || !Number.isSafeInteger(generation) || generation < 1) {
    throw new Error(`no name for a table: ${id} ${generation}`)
  }
  return `mat_${hex}_${generation}`
}

export interface MaterializationTables {
  id: string
  /** The generation of the table that runs read; `building` is that of a build in progress. */
  generation: number | null
  building: number | null
}

export const tablesOf = ({ id, generation, building }: MaterializationTables): string[] =>
  [generation, building].flatMap((number) => (number === null ? [] : tableName({ id, generation: number })))

/** Maximum columns besides `row`, because D1 allows 100. */
export const MAX_COLUMNS = 99

const columnsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index}`)

/** SQL that creates a table. Its columns have no types. `row` counts from 1 in the order of the query's rows. */
export const createTable = (name: string, columns: number): string =>
  `CREATE TABLE IF NOT EXISTS "${name}" (${['row INTEGER PRIMARY KEY', ...columnsOf(columns)].join(', ')})`

const createIndex = (name: string, indexes: readonly number[]): string =>
  `CREATE INDEX IF NOT EXISTS "${name}_variables" ON "${name}" (${indexes.map((index) => `c${index}`).join(', ')})`

/**
 * SQL that appends rows in order until their values exceed `bytes`.
 * @param select has the columns `c0`, `c1`, …
 * @param bytes the row that exceeds them is still written
 */
export const insertFrom = (name: string, columns: number, select: string, bytes: number): string =>
  `INSERT INTO "${name}" (${columnsOf(columns).join(', ')}) SELECT ${columnsOf(columns).join(', ')} FROM (` +
  `SELECT q.*, sum(${rowBytes(columns, 'q.')}) OVER (ROWS UNBOUNDED PRECEDING) - ${rowBytes(columns, 'q.')} AS bytes_before ` +
  `FROM (${select}) AS q) WHERE bytes_before <= ${Math.max(0, Math.min(bytes, Number.MAX_SAFE_INTEGER))}`

/** Approximate bytes of a row besides its values. */
const ROW_OVERHEAD = 8

const rowBytes = (columns: number, prefix = ''): string =>
  sumOf([
    String(ROW_OVERHEAD),
    ...columnsOf(columns).map((column) => `ifnull(octet_length(${prefix}${column}), 0)`),
  ])

/** SQL that adds the rows after a position to the registered bytes and largest row, and returns the bytes. */
export const countBytes = (name: string, columns: number): string =>
  `UPDATE materialized_tables SET (bytes, largest) = (SELECT bytes + ifnull(sum(r.bytes), 0), max(largest, ifnull(max(r.bytes), 0)) ` +
  `FROM (SELECT ${rowBytes(columns)} AS bytes FROM "${name}" WHERE row > ?1) AS r) WHERE name = '${name}' RETURNING bytes`

/** SQL of the number of rows. The largest `row` is that number, because rows are never deleted. */
export const countRows = (name: string): string => `(SELECT coalesce(max(row), 0) FROM "${name}")`

export function readingFrom(query: CompiledQuery, name: string): CompiledQuery {
  const withTable = <S extends Statement>(statement: S): S => ({
    ...statement,
    sql: statement.sql.replaceAll(STORED_TABLE, `"${name}"`),
  })
  const { cost } = query
  return {
    ...withTable(query),
    ...(cost && {
      cost: {
        ...cost,
        statistics: cost.statistics.map(withTable),
        measures: cost.measures.map((measure) => ({ ...measure, query: withTable(measure.query) })),
      },
    }),
  }
}

const MAX_INDEXED = 20

export const indexStatements = (name: string, indexes: readonly number[]): string[] =>
  indexes.length === 0 ? [] : [createIndex(name, [...new Set(indexes)].slice(0, MAX_INDEXED))]
