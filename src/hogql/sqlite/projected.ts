// Groups of rows that are read from documents. To group rows SQLite sorts them, with every column that is read of them: whole documents would
// be carried along, and looked into again for every use. So what groups and aggregates need of a row is read first, once, in a SELECT that is
// kept apart. Over 140,000 events this takes three quarters of the time of the same SQL in one SELECT.
import type { Expr, Select } from '../ir'
import { contains } from '../resolve/ir-walk'
import {
  APART,
  Columns,
  columnsOf,
  sortByPlace,
  knownKeys,
  type Parts,
  type Printed,
  type Rows,
} from './aggregation'
import type { Context } from './context'

/** Columns with a `$` are made of properties, too. */
const isRead = (expr: Expr): boolean =>
  expr.node === 'property' || (expr.node === 'column' && expr.column.startsWith('$'))

/** Whether the groups of a SELECT, or what is said of them, are made of properties. */
export const groupsDocuments = ({ groupBy, items, having, orderBy, limitBy }: Select): boolean =>
  groupBy.length > 0 &&
  [
    ...groupBy,
    ...items.map(({ expr }) => expr),
    ...(having ? [having] : []),
    ...orderBy.map(({ expr }) => expr),
    ...(limitBy?.by ?? []),
  ].some((expr) => contains(expr, isRead))

/**
 * Writes groups over columns that are read before; null where aggregates cannot be written in place.
 * @param write writes the parts of the SELECT
 * @param having writes what stands behind GROUP BY
 */
export function projected(
  { groupBy, keys, rows }: Rows,
  context: Context,
  write: (context: Context) => Parts,
  having: (parts: Parts) => string,
): Printed | null {
  const values = new Columns('x')
  const known = knownKeys(groupBy, 'w')
  return sortByPlace(
    { ...context, known },
    write,
    (parts) => {
      const listed = keys.map(({ sql }, index) => `${sql} AS g${index}`)
      const read = `SELECT ${[...listed, ...values.list()].join(', ')}${rows}${APART}`
      const by = keys.map((_, index) => `w.g${index}`).join(', ')
      return { parts, rows: ` FROM (${read}) AS w`, after: ` GROUP BY ${by}${having(parts)}` }
    },
    columnsOf(values, context),
  )
}
