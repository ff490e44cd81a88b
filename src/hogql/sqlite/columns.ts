// What the tables' columns are in D1.
import { columnName, type Context } from './context'

/** SQL by the column's key. */
export type Columns = Readonly<Record<string, string>>

/** The bound of every read: the project that the run is of. */
export const ofProject = (alias: string, { parameters }: Context): string =>
  `${alias}.project_id = ${parameters.add({ kind: 'project' })}`

/** `SELECT` with the columns that are used. Of none there is still a row for each row. */
export function select(columns: ReadonlySet<string>, known: Columns): string {
  const list = [...columns].map((key) => {
    const sql = Object.hasOwn(known, key) ? known[key] : undefined
    // The resolver lets no other through.
    if (sql === undefined) throw new Error(`no such column: ${key}`)
    return `${sql} AS ${columnName(key)}`
  })
  return `SELECT ${list.join(', ') || '1 AS one'}`
}

/** A property of the events `e`, as text. The name is one of ours. */
export function eventProperty(name: string): string {
  const path = `'$."${name}"'`
  return `CASE json_type(e.properties, ${path}) WHEN 'text' THEN e.properties ->> ${path} WHEN 'null' THEN NULL ELSE (e.properties -> ${path}) || '' END`
}
