// The tables that hold materialized rows: one for each build, named by the materialization's id and a number. No name holds anything that a
// user wrote.
import type { CompiledQuery, Statement } from '../../hogql/compiled'
import { STORED_TABLE } from '../../hogql/compiled'
import { sumOf } from '../../storage/sum-of'

export interface StoredTableName {
  /** Id of the materialization. */
  id: string
  generation: number
}

/** @throws for an id that is none of ours: what stands here becomes SQL. */
export function tableName({ id, generation }: StoredTableName): string {
  const hex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(hex) || !Number.isSafeInteger(generation) || generation < 1) {
    throw new Error(`no name for a table: ${id} ${generation}`)
  }
  return `mat_${hex}_${generation}`
}

/** Columns of a table besides the one for the order; D1 allows a hundred in all. */
export const MOST_COLUMNS = 99

const columnsOf = (count: number): string[] => Array.from({ length: count }, (_, place) => `c${place}`)

/** Values are kept as they come: the columns have no types. `row` counts from 1, in the order in which the query gives its rows. */
export const createTable = (name: string, columns: number): string =>
  `CREATE TABLE IF NOT EXISTS "${name}" (${['row INTEGER PRIMARY KEY', ...columnsOf(columns)].join(', ')})`

const createIndex = (name: string, places: readonly number[]): string =>
  `CREATE INDEX IF NOT EXISTS "${name}_variables" ON "${name}" (${places.map((place) => `c${place}`).join(', ')})`

/**
 * Appends the rows that `select` gives, in its order, until their values take more than so many bytes.
 * @param select gives columns `c0`, `c1` …
 * @param bytes the row that exceeds them is still written.
 */
export const insertFrom = (name: string, columns: number, select: string, bytes: number): string =>
  `INSERT INTO "${name}" (${columnsOf(columns).join(', ')}) SELECT ${columnsOf(columns).join(', ')} FROM (` +
  `SELECT q.*, sum(${rowBytes(columns, 'q.')}) OVER (ROWS UNBOUNDED PRECEDING) - ${rowBytes(columns, 'q.')} AS bytes_before ` +
  `FROM (${select}) AS q) WHERE bytes_before <= ${Math.max(0, Math.min(bytes, Number.MAX_SAFE_INTEGER))}`

/** What a row takes besides its values, roughly. */
const ROW_OVERHEAD = 8

/** SQL for the bytes of a row. */
const rowBytes = (columns: number, prefix = ''): string =>
  sumOf([
    String(ROW_OVERHEAD),
    ...columnsOf(columns).map((column) => `ifnull(octet_length(${prefix}${column}), 0)`),
  ])

/** Adds the rows behind a place to what is registered of a table: the bytes, whose sum it gives, and the largest row. */
export const countBytes = (name: string, columns: number): string =>
  `UPDATE materialized_tables SET (bytes, largest) = (SELECT bytes + ifnull(sum(r.bytes), 0), max(largest, ifnull(max(r.bytes), 0)) ` +
  `FROM (SELECT ${rowBytes(columns)} AS bytes FROM "${name}" WHERE row > ?1) AS r) WHERE name = '${name}' RETURNING bytes`

/** How many rows a table has: none is ever taken away. */
export const countRows = (name: string): string => `(SELECT coalesce(max(row), 0) FROM "${name}")`

/** A reading query, for the rows of one table. */
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

/** Places of the columns that an index can have at most. */
const MOST_INDEXED = 20

/** The statements that make a table ready to be read. */
export const indexStatements = (name: string, places: readonly number[]): string[] =>
  places.length === 0 ? [] : [createIndex(name, [...new Set(places)].slice(0, MOST_INDEXED))]
