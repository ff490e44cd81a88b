// Rows as lines of a backup, without loss: one JSON array a row.
//
// Text is a string, an integer a number, NULL null. An integer past 2^53 is {"i": "digits"}, a floating-point number {"r": number}, bytes are
// {"x": "hexadecimal digits"}.
import { Buffer } from 'node:buffer'
import { sumOf } from '../sum-of'
import type { Row } from './schema'
import type { Table } from './tables'

/** Maximum bytes that are read as hexadecimal digits. D1 limits a string to 2 MB, so that longer bytes are read as a list of numbers. */
const MAX_HEX_BYTES = 900_000

const quoted = (name: string): string => `"${name}"`

/**
 * Selects the next page of a table in the order of its key, for `encodeRow` and `keyOf`. A page ends before it exceeds a number of bytes,
 * but has at least one row.
 * @param isFirst whether it is the first page; otherwise the key of the last row is in the parameters.
 */
export function pageSql(
  { name, columns, key }: Table,
  { isFirst, maxRows, maxBytes }: { isFirst: boolean; maxRows: number; maxBytes: number },
): string {
  const keys = key.map(quoted).join(', ')
  const after = isFirst ? '' : `WHERE (${keys}) > (${key.map((_, place) => `?${place + 1}`).join(', ')})`
  // SQLite takes the length of a column from the record's header, without reading its content.
  const bytes = sumOf(columns.map((column) => `coalesce(octet_length(${quoted(column)}), 0)`))
  // Integers are written as text, because JSON numbers end at 2^53.
  const values = columns.map(
    (column, place) =>
      `CASE typeof(t.${quoted(column)}) WHEN 'integer' THEN CAST(t.${quoted(column)} AS TEXT) WHEN 'blob' THEN
        iif(octet_length(t.${quoted(column)}) <= ${MAX_HEX_BYTES}, hex(t.${quoted(column)}), t.${quoted(column)})
        ELSE t.${quoted(column)} END AS v${place}`,
  )
  const types = columns.map((column) => `substr(typeof(t.${quoted(column)}), 1, 1)`).join(' || ')
  return `WITH sizes AS (SELECT ${keys}, ${bytes} AS bytes FROM ${quoted(name)} ${after} ORDER BY ${keys} LIMIT ${maxRows}),
    page AS (SELECT *, sum(bytes) OVER (ORDER BY ${keys} ROWS UNBOUNDED PRECEDING) AS total FROM sizes)
    SELECT ${types} AS types, ${values.join(', ')} FROM page CROSS JOIN ${quoted(name)} t
    ON ${key.map((column) => `t.${quoted(column)} = page.${quoted(column)}`).join(' AND ')}
    WHERE page.total <= ${maxBytes} OR page.total = page.bytes ORDER BY ${key.map((column) => `page.${quoted(column)}`).join(', ')}`
}

/** Returns the key of a selected row as parameters of `pageSql`. SQLite compares digits with an integer column as a number. */
export const keyOf = ({ columns, key }: Table, row: Row): string[] =>
  key.map((column) => String(row[`v${columns.indexOf(column)}`]))

/** A selected row as a line. @throws for an infinite number, which no operation stores. */
export const encodeRow = ({ name, columns }: Table, row: Row): string =>
  `[${columns.map((column, place) => encode(`${name}.${column}`, String(row.types)[place]!, row[`v${place}`])).join(',')}]`

function encode(column: string, type: string, value: unknown): string {
  switch (type) {
    case 'n':
      return 'null'
    case 't':
      return JSON.stringify(value)
    case 'i':
      return Number.isSafeInteger(Number(value)) ? String(value) : JSON.stringify({ i: value })
    case 'b':
      return JSON.stringify({
        x:
          typeof value === 'string'
            ? value
            : Buffer.from(value as number[])
                .toString('hex')
                .toUpperCase(),
      })
    case 'r':
      if (typeof value === 'number') return JSON.stringify({ r: value })
  }
  throw new Error(`${column} has a value that a backup cannot hold: ${type} ${JSON.stringify(value)}`)
}

/** A value of a line after JSON.parse. */
export type Value = null | string | number | { i: string } | { r: number } | { x: string }

/** Maximum bytes of the lines in one parameter. */
export const MAX_PACKED_BYTES = 1_000_000

/** Whether a line fits into a parameter with others. A number with a fraction does not: SQLite's parser may change its last digit. */
export const isPackable = (line: string): boolean =>
  line.length <= MAX_PACKED_BYTES / 3 && !line.includes('{"r":')

/** Inserts rows that one parameter holds as a JSON array of lines. Rows that exist already are kept. */
export function insertPacked(table: Table): string {
  const values = table.columns.map(
    (_, place) => `CASE json_type(value, '$[${place}]') WHEN 'object'
      THEN coalesce(unhex(value ->> '$[${place}].x'), CAST(value ->> '$[${place}].i' AS INTEGER))
      ELSE value ->> ${place} END AS ${quoted(table.columns[place]!)}`,
  )
  return insertFrom(table, `SELECT ${values.join(', ')} FROM json_each(?1)`)
}

/** Inserts one row, with a parameter for each value, and several for bytes whose digits are too long for one. */
export function insertOne(
  table: Table,
  values: readonly Value[],
): { sql: string; params: (string | number)[] } {
  const params: (string | number)[] = []
  const parameter = (value: string | number) => `?${params.push(value)}`
  const expression = (value: Value): string => {
    if (value === null) return 'NULL'
    if (typeof value === 'string') return parameter(value)
    if (typeof value === 'number') return `CAST(${parameter(String(value))} AS INTEGER)`
    if ('i' in value) return `CAST(${parameter(value.i)} AS INTEGER)`
    if ('r' in value) return `CAST(${parameter(value.r)} AS REAL)`
    const parts = value.x.match(/.{1,1000000}/g) ?? ['']
    return `CAST(${parts.map((part) => `unhex(${parameter(part)})`).join(' || ')} AS BLOB)`
  }
  const selected = table.columns.map((column, place) => `${expression(values[place]!)} AS ${quoted(column)}`)
  return { sql: insertFrom(table, `SELECT ${selected.join(', ')}`), params }
}

/** Leaves out rows that exist, and rows that refer to something that does not. */
function insertFrom({ name, columns, references }: Table, select: string): string {
  const conditions = references.map(({ table, columns: from, targets }) => {
    const isNull = from.map((column) => `r.${quoted(column)} IS NULL`).join(' OR ')
    const isSame = targets.map((target, place) => `p.${quoted(target)} = r.${quoted(from[place]!)}`)
    return `AND (${isNull} OR EXISTS (SELECT 1 FROM ${quoted(table)} p WHERE ${isSame.join(' AND ')}))`
  })
  return `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) SELECT * FROM (${select}) r
    WHERE true ${conditions.join(' ')} ON CONFLICT DO NOTHING`
}
