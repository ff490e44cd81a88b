// Writes expressions, names and constants as HogQL text, which parses to the same tree.
import type { Expression, OrderExpr, Selection, WindowExpr, WindowFrameExpr } from './ast'

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$]*$/

/** Words with another meaning in the grammar. */
const RESERVED = new Set(
  'all and anti any array as asc asof between both by case cast cohort collate cross current date day desc distinct else end escape except extract false final first following for from full group having hour id if ilike in inf inner intersect interval into is join last leading left like limit minute month name nan not null nulls offset on or order outer over partition preceding prewhere qualify quarter range recursive return right rollup row rows sample second select semi settings substring then ties timestamp to top totals trailing trim true truncate unbounded union using week when where window with year'.split(
    ' ',
  ),
)

/** Words of RESERVED that the grammar takes as names as well. */
const NAMES = new Set([
  'timestamp',
  'id',
  'name',
  'date',
  'first',
  'last',
  'day',
  'week',
  'month',
  'year',
  'hour',
  'minute',
  'second',
])

/** Writes a name, in backticks if the grammar would otherwise parse it as something else. */
export function nameText(name: string): string {
  const isPlain = PLAIN.test(name) && (!RESERVED.has(name.toLowerCase()) || NAMES.has(name.toLowerCase()))
  return isPlain ? name : `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** Writes a chain of names. A number in it is an index. */
const chainText = (chain: readonly (string | number)[]): string =>
  chain
    .map((part) => (part === '*' ? '*' : typeof part === 'number' ? String(part) : nameText(part)))
    .join('.')

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\0': '\\0',
}

function constantText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL'
  // oxlint-disable-next-line no-control-regex
  if (typeof value === 'string') return `'${value.replace(/[\\'\n\t\r\0]/g, (char) => ESCAPES[char]!)}'`
  return String(value)
}

/** The precedence of each kind of expression. An operand with a lower one is put in parentheses. */
const TERNARY = 1
const OR = 2
const AND = 3
const NOT = 4
const COMPARE = 6
const SUM = 8
const PRODUCT = 9
const ATOM = 12

type Written = readonly [text: string, binding: number]

/**
 * Returns a writer of expressions.
 * @param query writes a subquery without parentheses
 */
export function expressionWriter(query: (tree: Selection) => string) {
  const write = (node: Expression): string => written(node)[0]
  const list = (nodes: readonly Expression[]) => nodes.map(write).join(', ')
  const operand = (node: Expression, binding: number): string => {
    const [text, own] = written(node)
    return own < binding ? `(${text})` : text
  }

  function written(node: Expression): Written {
    switch (node.node) {
      case 'Constant':
        return [constantText(node.value), ATOM]
      case 'Field':
        return [chainText(node.chain), ATOM]
      case 'Placeholder':
        return [`{${write(node.expr)}}`, ATOM]
      case 'Alias':
        return [`${operand(node.expr, TERNARY)} AS ${nameText(node.alias)}`, 0]
      case 'Call':
        if (node.name === '_caseWithExpression') return [caseText(node.args), ATOM]
        return [
          `${node.name}${node.params ? `(${list(node.params)})` : ''}(${node.distinct ? 'DISTINCT ' : ''}${list(node.args)}${
            node.order_by ? ` ORDER BY ${orders(node.order_by)}` : ''
          })${node.filter_expr ? ` FILTER (WHERE ${write(node.filter_expr)})` : ''}`,
          ATOM,
        ]
      case 'ExprCall':
        return [`${operand(node.expr, ATOM)}(${list(node.args)})`, ATOM]
      case 'WindowFunction': {
        const over = node.over_expr ? `(${window(node.over_expr)})` : nameText(node.over_identifier ?? '')
        const params =
          node.args.length > 0 ? `(${list(node.exprs)})(${list(node.args)})` : `(${list(node.exprs)})`
        return [`${node.name}${params} OVER ${over}`, ATOM]
      }
      case 'And':
        return [node.exprs.map((each) => operand(each, AND + 1)).join(' AND '), AND]
      case 'Or':
        return [node.exprs.map((each) => operand(each, OR + 1)).join(' OR '), OR]
      case 'Not':
        return [`NOT ${operand(node.expr, NOT)}`, NOT]
      case 'CompareOperation': {
        const isNull = node.right.node === 'Constant' && node.right.value === null
        if (node.is_null_comparison_style && isNull) {
          return [`${operand(node.left, COMPARE + 1)} IS ${node.op === '!=' ? 'NOT ' : ''}NULL`, COMPARE]
        }
        const operator = node.op === '==' ? '=' : node.op.toUpperCase()
        return [`${operand(node.left, COMPARE + 1)} ${operator} ${operand(node.right, COMPARE + 1)}`, COMPARE]
      }
      case 'BetweenExpr':
        return [
          `${operand(node.expr, COMPARE + 1)} ${node.negated ? 'NOT ' : ''}BETWEEN ${operand(node.low, COMPARE + 1)} AND ${operand(node.high, COMPARE + 1)}`,
          COMPARE,
        ]
      case 'IsDistinctFrom':
        return [
          `${operand(node.left, COMPARE + 1)} IS ${node.negated ? 'NOT ' : ''}DISTINCT FROM ${operand(node.right, COMPARE + 1)}`,
          COMPARE,
        ]
      case 'ArithmeticOperation': {
        const binding = node.op === '+' || node.op === '-' ? SUM : PRODUCT
        return [`${operand(node.left, binding)} ${node.op} ${operand(node.right, binding + 1)}`, binding]
      }
      case 'Array':
        return [`[${list(node.exprs)}]`, ATOM]
      case 'Tuple':
        return [node.exprs.length > 1 ? `(${list(node.exprs)})` : `tuple(${list(node.exprs)})`, ATOM]
      case 'ArrayAccess':
        return [`${operand(node.array, ATOM)}[${write(node.property)}]`, ATOM]
      case 'ArraySlice':
        return [
          `${operand(node.array, ATOM)}[${node.start_expr ? write(node.start_expr) : ''}:${node.end_expr ? write(node.end_expr) : ''}]`,
          ATOM,
        ]
      case 'TupleAccess':
        return [`${operand(node.tuple, ATOM)}.${node.index}`, ATOM]
      case 'TypeCast':
        return [`CAST(${write(node.expr)} AS ${node.type_name})`, ATOM]
      case 'TryCast':
        return [`TRY_CAST(${write(node.expr)} AS ${node.type_name})`, ATOM]
      case 'Lambda':
        return [`(${node.args.map(nameText).join(', ')}) -> ${write(node.expr)}`, 0]
      case 'Dict':
        return [`{${node.items.map(([key, value]) => `${write(key)}: ${write(value)}`).join(', ')}}`, ATOM]
      case 'ColumnsExpr':
        return [columnsText(node), ATOM]
      case 'SelectQuery':
      case 'SelectSetQuery':
        return [`(${query(node)})`, ATOM]
    }
  }

  /** Writes `CASE subject WHEN choice THEN value … ELSE value END`. The parser gives its parts as arguments. */
  function caseText([subject, ...rest]: readonly Expression[]): string {
    const otherwise = rest.at(-1)
    const branches = Array.from({ length: Math.floor((rest.length - 1) / 2) }, (_, index) =>
      rest.slice(2 * index, 2 * index + 2),
    )
    const text = branches.map(([choice, value]) => `WHEN ${write(choice!)} THEN ${write(value!)}`).join(' ')
    return `CASE ${write(subject!)} ${text}${otherwise ? ` ELSE ${write(otherwise)}` : ''} END`
  }

  const orders = (all: readonly OrderExpr[]) =>
    all.map(({ expr, order }) => `${write(expr)}${order === 'DESC' ? ' DESC' : ''}`).join(', ')

  function window({
    partition_by: by,
    order_by: order,
    frame_method: method,
    frame_start: start,
    frame_end: end,
  }: WindowExpr): string {
    const parts = [
      by?.length ? `PARTITION BY ${list(by)}` : '',
      order?.length ? `ORDER BY ${orders(order)}` : '',
      method && start
        ? end
          ? `${method} BETWEEN ${frame(start)} AND ${frame(end)}`
          : `${method} ${frame(start)}`
        : '',
    ]
    return parts.filter(Boolean).join(' ')
  }

  function frame({ frame_type: type, frame_value: value }: WindowFrameExpr): string {
    if (type === 'CURRENT ROW' || type === null) return 'CURRENT ROW'
    const distance = value === null ? 'UNBOUNDED' : typeof value === 'number' ? String(value) : write(value)
    return `${distance} ${type}`
  }

  return { write, list, orders, window }
}

function columnsText(node: Extract<Expression, { node: 'ColumnsExpr' }>): string {
  if (node.regex !== undefined) return `COLUMNS(${constantText(node.regex)})`
  return node.exclude?.length ? `* EXCEPT (${node.exclude.map(nameText).join(', ')})` : '*'
}
