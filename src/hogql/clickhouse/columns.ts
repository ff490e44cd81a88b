// What a table's columns are on ClickHouse, and the SELECT that reads some of them.
import { columnName, type Context } from './context'

/** How each column is written. Moments are in UTC: whoever reads one puts it in the project's time zone. */
export type Columns = Readonly<Record<string, string>>

export const PERSONS: Columns = {
  id: 'id',
  properties: 'properties',
  is_identified: 'is_identified',
  created_at: 'created_at',
}

export const GROUPS: Columns = {
  index: '`index`',
  key: 'key',
  properties: 'properties',
  created_at: 'created_at',
}

/** The bound of every read: the project that the run is of. */
export const isOfProject = ({ parameters }: Context, alias = ''): string =>
  `${alias && `${alias}.`}project_id = ${parameters.add({ kind: 'project' }, 'Int64')}`

/** What stands for the columns of a table of which none is used. */
export const NO_COLUMN = 'one'

/** `expression AS column` for each of `columns`. Of no columns there is still a row for each row. */
export function selected(columns: ReadonlySet<string>, known: Columns): string {
  const list = [...columns].map((key) => {
    // The resolver lets no other through.
    if (!Object.hasOwn(known, key)) throw new Error(`no such column: ${key}`)
    return `${known[key]} AS ${columnName(key)}`
  })
  return list.length > 0 ? list.join(', ') : `1 AS ${NO_COLUMN}`
}

export const printPlain = (
  table: string,
  known: Columns,
  columns: ReadonlySet<string>,
  context: Context,
): string => `SELECT ${selected(columns, known)} FROM ${table} FINAL WHERE ${isOfProject(context)}`
