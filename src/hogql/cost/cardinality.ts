// The cardinality of FROM, the cost of its joins, and the widths of its columns.
import { MAX_NUMBERS, MAX_RECURSION_BYTES, MAX_RECURSION_ROWS } from '../functions/limits'
import type { ComputedColumn, Cte, Expr, From, Join, Query, Select, Source } from '../ir'
import { conjunctsOf, isUniqueBy, type JoinKey, keysOf, readsOnly, sourcesBefore, sourcesIn } from '../joins'
import { type Formula, least, product, sum } from './formula'
import { estimateExpr } from './expressions'
import { column as columnOf } from '../ir-build'
import { measuredItems, joinMeasure, frameOf, measuredValue } from './measures'
import { BYTE, CHANNEL, CHANNEL_BYTE, JOINED_ROW, MADE_ROW, SORTED_ROW } from './rates'
import { ctesOf, type Estimate, type Rows, type Scope } from './scope'
import { hasBytes, STRING } from '../types'
import {
  duplicated,
  filtered,
  typedWidth,
  expanded,
  perRow,
  rowBytes,
  totalBytes,
  type Width,
  numberWidth,
} from './width'
import { type Scan, scanTable, storedSessions } from './table-scans'

/**
 * Returns the rows that FROM gives, one without FROM, and adds their cost to that of the scope.
 * @param most rows of a table after which the query stops; null when it reads all
 */
export function estimateFrom({ from, where }: Select, scope: Scope, most: Formula | null = null): Rows {
  if (from === null) return { rows: 1, columns: new Map() }
  const conditions = conjunctsOf(where)
  const read: FromContext = { from, where: conditions, scope, most }
  const first = estimateFirst(read)
  return from.joins.reduce((left, join, index) => estimateJoin(read, left, join, index), first)
}

interface FromContext {
  from: From
  where: readonly Expr[]
  scope: Scope
  most: Formula | null
}

function estimateFirst(read: FromContext): Rows {
  const { source } = read.from
  if (source.kind === 'elements')
    return withElements(read, { rows: 1, columns: new Map() }, { kind: 'cross', source, on: null }, 0)
  const { rows, column } = estimateSource(source, conditionsOn(source, read), read.scope, read.most)
  return { rows, columns: new Map([[source.id, column]]) }
}

/**
 * Returns the conditions that hold for all rows read from a source: those of its ON, and those of WHERE unless an outer join may leave the
 * source out.
 */
function conditionsOn(source: Source, { from: { joins }, where }: FromContext): Expr[] {
  const index = joins.findIndex((join) => join.source === source)
  const own = joins[index]
  const later = joins.slice(index < 0 ? 0 : index)
  const mayBeMissing = own?.kind === 'left' || later.some(({ kind }) => kind === 'right' || kind === 'full')
  const keepsAll = own?.kind === 'right' || own?.kind === 'full'
  return [...(mayBeMissing ? [] : where), ...(keepsAll ? [] : conjunctsOf(own?.on ?? null))].filter(
    (condition) => readsOnly(condition, source.id),
  )
}

function estimateSource(
  source: Exclude<Source, { kind: 'elements' }>,
  conditions: readonly Expr[],
  scope: Scope,
  most: Formula | null = null,
): Scan {
  const { costs } = scope
  switch (source.kind) {
    case 'table':
    case 'stored':
      if (source.kind === 'table') for (const each of source.computed.values()) estimateComputed(each, scope)
      return scanTable(source, conditions, costs, most)
    case 'query':
    case 'cte': {
      const { query, steps }: Pick<Cte, 'query' | 'steps'> =
        source.kind === 'query' ? source : findCte(source.cte, scope)
      const { rows, columns } = steps ? estimateRecursion(query, steps, scope) : scope.estimate(query, scope)
      costs.spend('subqueries', product(rows, MADE_ROW))
      costs.hold(rowBytes(columns).sum)
      return { rows, column: (key) => columns[Number(key.slice(1))] ?? numberWidth(rows) }
    }
    case 'level': {
      const { rows, columns } = levelsOf(findCte(source.cte, scope).query)
      return { rows, column: (key) => columns[Number(key.slice(1))] ?? numberWidth(rows) }
    }
    case 'numbers': {
      const rows = numbersOf(source.count)
      costs.spend("the table function 'numbers'", product(rows, MADE_ROW))
      return { rows, column: () => numberWidth(rows) }
    }
  }
}

/**
 * Adds the cost of the channel type of sessions, the only computed column. It is computed once for each session, and its rates are those of
 * its whole expression: the sum of its parts, of which a session reaches few, would be many times that.
 */
function estimateComputed({ source: id, reads }: ComputedColumn, scope: Scope): void {
  const { costs } = scope
  const { rows, column: widthOf } = storedSessions(costs)
  const source: Source = {
    kind: 'table',
    id,
    table: 'sessions',
    columns: new Set(reads),
    computed: new Map(),
  }
  const read = { from: { source, joins: [] }, where: [] }
  const frame = frameOf(scope, { rows, columns: new Map([[id, widthOf]]) }, read)
  const texts = reads.map((key) => measuredValue(columnOf(id, key, STRING), widthOf(key), frame))
  // The texts are those of one event of a session.
  const bytes = least(totalBytes(texts).sum, widthOf(reads[0]!).bytes.sum)
  costs.spend('sessions', sum(product(rows, CHANNEL), product(bytes, CHANNEL_BYTE)))
}

const findCte = (id: number, { ctes }: Scope): Cte => {
  const found = ctes.find((cte) => cte.id === id)
  if (!found) throw new Error('a CTE that is not there')
  return found
}

/** Returns the upper bounds of a recursive CTE's rows and bytes: what a level holds depends on the level before. */
function levelsOf(query: Query): Estimate {
  const rows = MAX_RECURSION_ROWS
  return {
    rows,
    columns: query.items.map(({ type }) =>
      hasBytes(type) ? typedWidth(type, perRow(rows, MAX_RECURSION_BYTES), rows) : numberWidth(rows),
    ),
  }
}

/** Adds the cost of a recursive CTE. The steps of all levels together read each row once. */
function estimateRecursion(first: Query, steps: readonly Query[], scope: Scope): Estimate {
  const apart = { ...scope, canMeasure: false }
  for (const query of [first, ...steps]) scope.estimate(query, apart)
  const levels = levelsOf(first)
  // The rows are read once more, to be counted.
  scope.costs.spend('recursive CTEs', product(levels.rows, SORTED_ROW * 2))
  return levels
}

function numbersOf(count: Expr): Formula {
  if (count.node === 'literal') return Math.max(0, Number(count.value ?? 0))
  return count.node === 'variable'
    ? least({ op: 'variable', name: count.name, as: 'number' }, MAX_NUMBERS)
    : MAX_NUMBERS
}

function estimateJoin(read: FromContext, left: Rows, join: Join, index: number): Rows {
  const { source, kind } = join
  if (source.kind === 'elements') return withElements(read, left, join, index)
  const { from, where, scope } = read
  const { costs } = scope
  const conditions = conditionsOn(source, read)
  const right = estimateSource(source, conditions, scope)
  const keys = keysOf(join, sourcesBefore(from, index), where)
  const one = onlyOne({ read, join, index, keys, conditions })
  const all = product(left.rows, right.rows)
  const matches = one.right
    ? left.rows
    : one.left
      ? right.rows
      : keys.length > 0
        ? joinMeasure({ from, index, join, where, keys, conditions }, all, scope)
        : all
  const keepsRight = kind === 'right' || kind === 'full'
  const keepsLeft = (kind === 'left' || kind === 'full') && !one.right
  const joined = (rows: Formula): Rows => ({
    rows,
    columns: new Map([
      ...columnsIn(left, rows, one.right),
      [source.id, columnIn(right.column, rows, one.left)],
    ]),
  })

  // SQLite finds rows by key in an index, and makes an automatic one when there is none, except for RIGHT and FULL.
  const hasIndex = keys.length > 0 && !keepsRight
  if (hasIndex) {
    // The automatic index copies the rows, with their documents.
    const copied = source.kind === 'table' ? right.column('properties').bytes.sum : 0
    costs.spend(
      'joins',
      sum(product(left.rows, JOINED_ROW * 4), product(right.rows, SORTED_ROW * 6), product(copied, BYTE)),
    )
    const ofRight: Rows = { rows: right.rows, columns: new Map([[source.id, right.column]]) }
    for (const key of keys) {
      estimateExpr(key.left, frameOf(scope, left, null))
      estimateExpr(key.right, frameOf(scope, ofRight, null))
    }
  }
  const compared = hasIndex ? matches : all
  if (join.on) {
    // To compare the pairs is the cost of the join.
    const comparing = costs.fork()
    estimateExpr(join.on, frameOf({ ...scope, costs: comparing }, joined(compared), null))
    costs.spend('joins', comparing.total)
    costs.hold(comparing.held)
  }
  const rows = sum(matches, keepsLeft ? left.rows : 0, keepsRight ? right.rows : 0)
  costs.spend('joins', product(sum(compared, rows), JOINED_ROW))
  return joined(rows)
}

/** Returns whether a row of one side matches at most one row of the other. */
function onlyOne({
  read,
  join: { source },
  index,
  keys,
  conditions,
}: {
  read: FromContext
  join: Join
  index: number
  keys: readonly JoinKey[]
  conditions: readonly Expr[]
}): { left: boolean; right: boolean } {
  const { from, scope } = read
  if (keys.length === 0) return { left: false, right: false }
  const ctes = ctesOf(scope)
  const [left, right] = [keys.map((key) => key.left), keys.map((key) => key.right)]
  return {
    left: index === 0 && isUniqueBy(from.source, left, conditionsOn(from.source, read), ctes),
    right: isUniqueBy(source, right, conditions, ctes),
  }
}

type Column = (key: string) => Width

/** @param isOnce whether each row occurs at most once among the joined rows */
const columnIn =
  (column: Column, rows: Formula, isOnce: boolean): Column =>
  (key) =>
    isOnce ? filtered(column(key), rows) : duplicated(column(key), rows)

const columnsIn = ({ columns }: Rows, rows: Formula, isOnce: boolean): [number, Column][] =>
  [...columns].map(([id, column]) => [id, columnIn(column, rows, isOnce)])

/** Adds an ARRAY JOIN, which gives a row for each element. */
function withElements(
  { from, where, scope }: FromContext,
  left: Rows,
  { source, kind }: Join,
  index: number,
): Rows {
  if (source.kind !== 'elements') throw new Error('no elements')
  const before = sourcesBefore(from, index)
  const own = where.filter((condition) => sourcesIn(condition)?.isSubsetOf(before))
  const isFirst = from.source === source
  const frame = frameOf(
    scope,
    left,
    isFirst ? null : { from: { ...from, joins: from.joins.slice(0, index) }, where: own },
  )
  const array = estimateExpr(source.array, frame)
  const items = measuredItems(source.array, array.items, frame)
  const rows = sum(items.sum, kind === 'left' ? left.rows : 0)
  scope.costs.spend('ARRAY JOIN', product(rows, MADE_ROW))
  return {
    rows,
    columns: new Map([
      ...[...left.columns].map(([id, column]): [number, Column] => [
        id,
        (key) => expanded(column(key), items),
      ]),
      [source.id, () => typedWidth(source.type, { sum: array.bytes.sum, max: array.element }, rows)],
    ]),
  }
}
