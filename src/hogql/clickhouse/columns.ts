// What a table's columns are on ClickHouse, and the SELECT that reads some of them.
import { columnName, type Context } from './context'
import { inZone } from './convert'

export type Columns = Readonly<Record<string, (context: Context) => string>>

export const moment = (column: string) => (context: Context) => inZone(column, context)
export const plain = (column: string) => () => column

export const PERSONS: Columns = {
  id: plain('id'),
  properties: plain('properties'),
  is_identified: plain('is_identified'),
  created_at: moment('created_at'),
}

export const GROUPS: Columns = {
  index: plain('`index`'),
  key: plain('key'),
  properties: plain('properties'),
  created_at: moment('created_at'),
}

/** The bound of every read: the project that the run is of. */
export const isOfProject = ({ parameters }: Context, alias = ''): string =>
  `${alias && `${alias}.`}project_id = ${parameters.add({ kind: 'project' }, 'Int64')}`

/** `expression AS column` for each of `columns`. Of no columns there is still a row for each row. */
export function selected(columns: ReadonlySet<string>, known: Columns, context: Context): string {
  const list = [...columns].map((key) => {
    const write = known[key]
    // The resolver lets no other through.
    if (!Object.hasOwn(known, key) || !write) throw new Error(`no such column: ${key}`)
    return `${write(context)} AS ${columnName(key)}`
  })
  return list.length > 0 ? list.join(', ') : '1 AS one'
}

export const printPlain = (
  table: string,
  known: Columns,
  columns: ReadonlySet<string>,
  context: Context,
): string => `SELECT ${selected(columns, known, context)} FROM ${table} FINAL WHERE ${isOfProject(context)}`
