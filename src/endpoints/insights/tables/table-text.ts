// Tables of events and persons as HogQL: columns, conditions and order are expressions that the caller wrote.
import { parseExpression } from '../../../hogql/parser/parse'
import { aggregatesIn } from '../../materialization/analysis/tree'
import { list } from '../text-parts'

/** A column of several expressions, and how a row shows their values as one. */
export interface WideColumn {
  expressions: readonly string[]
  shape(values: readonly unknown[]): unknown
}

export interface TableColumn extends WideColumn {
  name: string
}

/** Removes the label of user interfaces, as in `person_display_name -- Person`. */
const withoutLabel = (text: string) => text.split('--')[0]!.trim()

const wideOf = (text: string, wide: Readonly<Record<string, WideColumn>>): WideColumn | null => {
  const name = withoutLabel(text)
  return Object.hasOwn(wide, name) ? wide[name]! : null
}

export const isWide = (text: string, wide: Readonly<Record<string, WideColumn>>): boolean =>
  wideOf(text, wide) !== null

export const columnsOf = (
  select: readonly string[],
  wide: Readonly<Record<string, WideColumn>>,
): TableColumn[] =>
  select.map((text) => ({
    name: text,
    ...(wideOf(text, wide) ?? { expressions: [text], shape: ([value]) => value ?? null }),
  }))

interface Parsed {
  text: string
  /** The alias is null for an expression without a name. */
  alias: string | null
  aggregates: boolean
}

function parsed(text: string): Parsed {
  const tree = parseExpression(text)
  return {
    text: `${text}\n`,
    alias: tree.node === 'Alias' ? tree.alias : null,
    aggregates: aggregatesIn(tree).length > 0,
  }
}

/** Splits an order into its expression and direction. */
export function orderOf(text: string): { expression: string; direction: 'ASC' | 'DESC' } {
  const match = /^([^]*\S)\s+(asc|desc)\s*$/i.exec(text)
  return match
    ? { expression: match[1]!, direction: match[2]!.toUpperCase() as 'ASC' | 'DESC' }
    : { expression: text, direction: 'ASC' }
}

export interface TableParts {
  table: 'events' | 'persons'
  columns: readonly TableColumn[]
  /** Conditions that the caller wrote. Those that aggregate become HAVING. */
  where: readonly string[]
  /** Further conditions, as HogQL. */
  conditions: readonly string[]
  orderBy: readonly string[] | null
  /** The column by which rows are sorted, descending, without `orderBy` and aggregates. */
  newest: string
}

export function tableText(parts: TableParts): string {
  const columns = parts.columns.flatMap(({ expressions }) => expressions).map(parsed)
  const where = parts.where.map(parsed)
  const aggregate = columns.find(({ aggregates }) => aggregates)
  const groups = columns
    .filter(({ aggregates, text }) => !aggregates && !/^\d+\n$/.test(text))
    .map(({ alias, text }) => alias ?? text)
  const conditions = [
    ...parts.conditions,
    ...where.filter(({ aggregates }) => !aggregates).map(({ text }) => `(${text})`),
  ]
  const having = where.filter(({ aggregates }) => aggregates).map(({ text }) => `(${text})`)
  return [
    `SELECT ${list(columns.map(({ text }) => text))} FROM ${parts.table}`,
    conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : null,
    aggregate && groups.length > 0 ? `GROUP BY ${list(groups)}` : null,
    having.length > 0 ? `HAVING ${having.join(' AND ')}` : null,
    `ORDER BY ${orderText(parts, columns, aggregate)}`,
  ]
    .filter((part) => part !== null)
    .join(' ')
}

/** The ORDER BY. Its default is the first aggregate descending; without aggregates the newest row, or the first column. */
function orderText(
  { orderBy, newest }: TableParts,
  columns: readonly Parsed[],
  aggregate: Parsed | undefined,
) {
  const shown = ({ alias, text }: Parsed) => alias ?? text
  if (orderBy) {
    return list(orderBy.map(orderOf).map(({ expression, direction }) => `${expression}\n ${direction}`))
  }
  if (aggregate) return `${shown(columns.find(({ text }) => text === 'count()\n') ?? aggregate)} DESC`
  return columns.some(({ text }) => text.trim() === newest) ? `${newest} DESC` : `${shown(columns[0]!)} ASC`
}

/** Returns the rows of a page, and whether more follow. */
export function tableResult(
  columns: readonly TableColumn[],
  rows: readonly unknown[][],
  { limit, offset }: { limit: number; offset: number },
) {
  const results = rows.slice(0, limit).map((row) => {
    let at = 0
    return columns.map(({ expressions, shape }) => {
      const values = row.slice(at, at + expressions.length)
      at += expressions.length
      return shape(values)
    })
  })
  return {
    results,
    columns: columns.map(({ name }) => aliasOf(name)),
    limit,
    offset,
    hasMore: rows.length > limit,
  }
}

/** Returns the alias in an expression: `count() AS total` → `total`. */
const aliasOf = (text: string) => /^[^]*\S\s+as\s+([A-Za-z_$][\w$]*)\s*$/i.exec(text)?.[1] ?? text

/** Parses the value of a JSON column. */
export const documentOf = (value: unknown): unknown =>
  typeof value === 'string' ? (JSON.parse(value) as unknown) : (value ?? {})
