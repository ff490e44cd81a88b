// Writes comparisons and IN. SQLite's IS and IS NOT compare NULLs as HogQL does.
import { mayBeNaN, momentOf, rejectUnordered } from '../functions/sqlite-values'
import type { Expr, Node } from '../ir'
import { literalOf } from '../ir-build'
import type { Dialect } from '../print/dialect'
import { balanced, list, orElse } from '../print/expression'
import type { SqliteContext } from './context'
import { printLike } from './like'
import { isPlain, propertyBare } from './property'

type Comparing = Pick<
  Dialect<SqliteContext>,
  | 'operands'
  | 'mayBeNull'
  | 'equal'
  | 'unequal'
  | 'like'
  | 'needle'
  | 'inArray'
  | 'constantList'
  | 'inList'
  | 'inQuery'
  | 'inGivesNull'
>

/** Replaces NULL, so that IN finds it. No value of HogQL is a blob. */
const orBlob = (sql: string): string => `ifnull(${sql}, x'')`

/** @param findsNull whether NULL is looked for, and may be among the elements */
const inElements = (needle: string, array: string, findsNull: boolean): string =>
  findsNull
    ? `(${orBlob(needle)} IN (SELECT ${orBlob('a.value')} FROM json_each(${array}) AS a))`
    : `(${needle} IN (SELECT a.value FROM json_each(${array}) AS a))`

export const CONDITIONS: Comparing = {
  operands,
  mayBeNull: (expr) => expr.type.nullable || mayBeNaN(expr.type, literalOf(expr)),
  equal(a, b, { either, both, areEqual }, place) {
    // In a join's ON, and when no NULLs are equal, the plain operator suffices, which every index supports.
    const isPlainEqual = !either || (place !== 'value' && (!areEqual || place === 'on'))
    if (isPlainEqual || (both && !areEqual)) return orElse(`(${a} = ${b})`, '0', !isPlainEqual)
    return `(${a} IS ${b})`
  },
  unequal(a, b, { either, both, areEqual }) {
    const isPlainUnequal = !either || (both && !areEqual)
    return isPlainUnequal ? orElse(`(${a} <> ${b})`, '1', either) : `(${a} IS NOT ${b})`
  },
  like: printLike,
  needle(left, choices, context) {
    const isOne = choices.kind === 'array' || (choices.kind === 'query' && choices.query.items.length === 1)
    if (left.node === 'tuple' && !isOne) return row(left, context)
    const isBare = choices.kind === 'list' && choices.items.every(isPlainText)
    return isBare ? bare(left, context) : context.expr(left)
  },
  inArray: (needle, left, array, context) =>
    inElements(
      needle,
      context.expr(array),
      left.type.nullable && array.type.kind === 'array' && array.type.of.nullable,
    ),
  constantList: (needle, left, values, { parameters }) =>
    left.node === 'tuple'
      ? null
      : inElements(needle, parameters.bind(JSON.stringify(values)), values.includes(null)),
  inList(needle, left, items, context) {
    if (left.node === 'tuple') {
      const rows = items.map((item) => (item.node === 'tuple' ? row(item, context) : context.expr(item)))
      return balanced(
        rows.map((each) => `(${needle} IS ${each})`),
        ' OR ',
      )
    }
    const findsNull = left.type.nullable && items.some(({ type }) => type.nullable)
    if (!findsNull) return `(${needle} IN (${list(items, context)}))`
    const printed = items.map((item) =>
      item.type.nullable ? orBlob(context.expr(item)) : context.expr(item),
    )
    return `(${orBlob(needle)} IN (${printed.join(', ')}))`
  },
  inQuery(needle, left, query, context) {
    const sql = context.query(query)
    const parts = left.node === 'tuple' && query.items.length > 1 ? left.items : [left]
    const findsNull = parts.map((part, index) => part.type.nullable && query.items[index]!.type.nullable)
    if (!findsNull.includes(true)) return `(${needle} IN (${sql}))`
    const orBlobs = (texts: readonly string[]) =>
      texts.map((text, index) => (findsNull[index] ? orBlob(text) : text)).join(', ')
    const own = parts.length > 1 ? parts.map((part) => context.expr(part)) : [needle]
    const columns = query.items.map((_, index) => `c${index}`)
    return `((${orBlobs(own)}) IN (SELECT ${orBlobs(columns)} FROM (${sql})))`
  },
  inGivesNull: true,
}

/** Writes both sides. A date becomes a datetime when the other side is one. */
function operands({ op, left, right }: Node<'compare'>, context: SqliteContext): [string, string] {
  if (op === '=' || op === '!=') {
    if (isPlainText(right)) return [bare(left, context), context.expr(right)]
    if (isPlainText(left)) return [context.expr(left), bare(right, context)]
  }
  if (left.node === 'tuple' && right.node === 'tuple' && left.items.length === right.items.length) {
    const items = [...left.items, ...right.items]
    if (op !== '=' && op !== '!=')
      rejectUnordered(
        op,
        items.map(({ type }) => type),
      )
    return [row(left, context), row(right, context)]
  }
  if (op !== '=' && op !== '!=') rejectUnordered(op, [left.type, right.type])
  const isMoment = left.type.kind === 'datetime' || right.type.kind === 'datetime'
  const print = (expr: Expr) => {
    const sql = context.expr(expr)
    return isMoment ? momentOf(sql, expr.type, { zone: context.zoneFor([expr]) }) : sql
  }
  return [print(left), print(right)]
}

/** Writes a property without a check of its type, which makes no difference in a comparison with a plain text. */
const bare = (expr: Expr, context: SqliteContext): string =>
  expr.node === 'property' ? propertyBare(expr, context) : context.expr(expr)

const isPlainText = (expr: Expr): boolean =>
  expr.node === 'literal' && typeof expr.value === 'string' && isPlain(expr.value)

/** Writes a tuple as a row of SQL, whose items are compared one by one. */
const row = ({ items }: Node<'tuple'>, context: SqliteContext): string =>
  items.length === 1 ? list(items, context) : `(${list(items, context)})`
