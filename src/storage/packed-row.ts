// Rows of many columns as one column each: D1 spends more on the values of such a row than on reading it.
import { is, SQL, sql } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import { LruCache } from '../lru-cache'
import { decoderOf, type Selected } from './decoder-of'

/** UTF-16 units of the rows that an isolate remembers for a packed column: several times that in memory. */
const MAX_KNOWN_UNITS = 1024 * 1024

/** D1 limits the arguments of a function. */
const MAX_ARGUMENTS = 32

/**
 * One column that holds others as a JSON array. Fractions keep 15 digits; a blob fails the statement, except JSONB, which becomes JSON.
 * Equal rows are one object, so that lists that are read again are not parsed again.
 * @param condition of the rows that are read; for others the column is null.
 * @param columns by name. They lose their aliases.
 */
export function packRow<Columns extends Record<string, Selected>>(
  condition: SQL,
  columns: Columns,
): SQL<SelectResultFields<Columns> | null> {
  const fields = Object.entries(columns)
  const decoders = fields.map(([name, selected]) => ({ name, decoder: decoderOf(selected) }))
  const expressions = fields.map(([, selected]) => (is(selected, SQL.Aliased) ? selected.sql : selected))
  const known = new LruCache<string, SelectResultFields<Columns>>(MAX_KNOWN_UNITS)
  const arrays: SQL[] = []
  for (let at = 0; at < expressions.length; at += MAX_ARGUMENTS)
    arrays.push(sql`json_array(${sql.join(expressions.slice(at, at + MAX_ARGUMENTS), sql`, `)})`)
  return sql`CASE WHEN ${condition} THEN json_array(${sql.join(arrays, sql`, `)}) END`.mapWith(
    (text: string) => {
      const same = known.get(text)
      if (same) return same
      const row: Record<string, unknown> = {}
      let index = 0
      for (const values of JSON.parse(text) as unknown[][]) {
        for (const value of values) {
          const { name, decoder } = decoders[index++]!
          row[name] = value === null ? null : decoder.mapFromDriverValue(value)
        }
      }
      known.set(text, row as SelectResultFields<Columns>, text.length)
      return row as SelectResultFields<Columns>
    },
  )
}
