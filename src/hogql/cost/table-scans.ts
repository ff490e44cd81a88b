// The rows that a reference to a table reads, their cost and their columns' widths. Indexes find events by time and name; for any other
// condition, every row is read.
import type { Expr, Source } from '../ir'
import { isConstant } from '../joins'
import { SESSION_TYPES } from '../tables/tables'
import { hasBytes, isTemporal, STRING } from '../types'
import { type Formula, least, product, type StatisticField, sum } from './formula'
import { constantWidth, duplicated, perRow, typedWidth, width, type Width, numberWidth } from './width'
import type { Costs, TableReads } from './scope'
import { AGGREGATE, DOCUMENT_BYTE, LOOKUP, LOOKUP_ROW, ROW, SORTED_ROW } from './rates'

type TableSource = Extract<Source, { kind: 'table' | 'stored' }>

const allOf = (table: TableReads['table']): TableReads => ({
  table,
  from: [],
  to: [],
  arrived: [],
  events: null,
})

/**
 * Returns the rows of the source that may be read.
 * @param conditions on the source, all of which hold
 */
function tableReads(source: TableSource, conditions: readonly Expr[]): TableReads {
  if (source.kind === 'stored') return allOf('stored')
  const reads = allOf(source.table)
  if (source.table !== 'events') return reads
  const isColumn = (expr: Expr, name: string) =>
    expr.node === 'column' && expr.source === source.id && expr.column === name
  const boundsOf = (column: string) =>
    conditions.flatMap((condition) => boundsIn(condition, (expr) => isColumn(expr, column)))
  const ends = boundsOf('timestamp')
  const names = conditions.flatMap((condition) => {
    const found = namesIn(condition, (expr) => isColumn(expr, 'event'))
    return found ? [found] : []
  })
  return {
    ...reads,
    from: ends.flatMap(({ from }) => from ?? []),
    to: ends.flatMap(({ to }) => to ?? []),
    arrived: boundsOf('created_at').flatMap(({ from }) => from ?? []),
    events: names[0] ?? null,
  }
}

/** Returns whether an index finds the rows that meet a condition. */
export function isFoundByIndex(source: Source, condition: Expr): boolean {
  if (source.kind !== 'table') return false
  const { from, to, arrived, events } = tableReads(source, [condition])
  return from.length > 0 || to.length > 0 || arrived.length > 0 || events !== null
}

type IsColumn = (expr: Expr) => boolean

export function boundsIn(condition: Expr, isColumn: IsColumn): { from?: Expr; to?: Expr }[] {
  if (condition.node !== 'compare') return []
  const { op, left, right } = condition
  const isTurned = isColumn(right)
  const end = isTurned ? left : right
  if (!(isTurned || isColumn(left)) || !isConstant(end) || !isTemporal(end.type)) return []
  switch (op) {
    case '=':
      return [{ from: end, to: end }]
    case '>':
    case '>=':
      return [isTurned ? { to: end } : { from: end }]
    case '<':
    case '<=':
      return [isTurned ? { from: end } : { to: end }]
    case '!=':
      return []
  }
}

/** Returns the names that a condition allows, or null when it allows others. */
function namesIn(condition: Expr, isColumn: IsColumn): readonly Expr[] | null {
  switch (condition.node) {
    case 'compare': {
      const { op, left, right } = condition
      if (op !== '=') return null
      if (isColumn(left) && isConstant(right)) return [right]
      return isColumn(right) && isConstant(left) ? [left] : null
    }
    case 'in': {
      const { negated, left, choices } = condition
      return !negated && isColumn(left) && choices.kind === 'list' && choices.items.every(isConstant)
        ? choices.items
        : null
    }
    case 'or': {
      const names = condition.operands.map((operand) => namesIn(operand, isColumn))
      return names.every((each) => each !== null) ? names.flat() : null
    }
    default:
      return null
  }
}

/** Returns whether a condition names the event by its uuid. */
function isOneEvent(source: TableSource, condition: Expr): boolean {
  if (source.kind !== 'table' || source.table !== 'events') return false
  if (condition.node !== 'compare' || condition.op !== '=') return false
  const isUuid = (expr: Expr) => expr.node === 'column' && expr.source === source.id && expr.column === 'uuid'
  const { left, right } = condition
  return (isUuid(left) && isConstant(right)) || (isUuid(right) && isConstant(left))
}

export interface Scan {
  rows: Formula
  column(key: string): Width
}

/** The mean and the maximum of bytes of a name, an id or a key. */
const NAME_BYTES = 100
const MAX_NAME_BYTES = 800

const name = (rows: Formula): Width => width({ sum: product(rows, NAME_BYTES), max: MAX_NAME_BYTES })

/**
 * Returns the rows of a table that a source gives, and adds the cost of reading them.
 * @param conditions on the source, all of which hold
 * @param most rows after which the scan stops; null when it reads all
 */
export function scanTable(
  source: TableSource,
  conditions: readonly Expr[],
  costs: Costs,
  most: Formula | null = null,
): Scan {
  if (source.kind === 'table' && source.table === 'sessions') return sessions(source, costs)
  const all = costs.statistic(tableReads(source, conditions))
  const { largest } = all
  const end = conditions.some((condition) => isOneEvent(source, condition)) ? 1 : most
  const rows = end === null ? all.rows : least(all.rows, end)
  const bytes = end === null ? all.bytes : least(all.bytes, product(rows, largest))
  costs.spend(source.kind === 'stored' ? 'rows' : source.table, product(rows, ROW))
  const document = width({ sum: bytes, max: largest })
  if (source.kind === 'stored') {
    return {
      rows,
      column: (key) =>
        key === 'row' ? numberWidth(rows) : { ...document, items: document.bytes, element: largest },
    }
  }
  if (source.table === 'events') {
    const found = lookups(source, rows, bytes, costs)
    return {
      rows,
      column: (key) =>
        found(key) ??
        (key.startsWith('session__')
          ? duplicated(sessionColumn(key, all), rows)
          : isDocument(key)
            ? stored(document, source, key)
            : column(key, rows)),
    }
  }
  return { rows, column: (key) => (key === 'properties' ? stored(document, source, key) : column(key, rows)) }
}

const isDocument = (key: string): boolean =>
  key === 'properties' || key === 'elements_chain' || key.startsWith('$')

/** Returns the width of a value of the row's document. */
const stored = (document: Width, source: TableSource, key: string): Width => ({
  ...document,
  stored: { document: `${source.id}`, path: key, bytes: document.bytes },
})

const FIXED_WIDTH = /(?:^|__)(?:timestamp|created_at|is_identified|index|cohort_id)$/

const column = (key: string, rows: Formula): Width => (FIXED_WIDTH.test(key) ? numberWidth(rows) : name(rows))

/** Adds the cost of the lookups for each event: its person, its groups, its session, and columns that are properties of its document. */
function lookups(
  { columns, computed }: Extract<Source, { kind: 'table' }>,
  rows: Formula,
  bytes: Formula,
  costs: Costs,
): (key: string) => Width | null {
  const uses = (prefix: string) => [...columns].some((key) => key.startsWith(prefix))
  const properties = [...columns].filter((key) => key !== 'properties' && isDocument(key)).length
  const looksUp = (count: number) => sum(product(rows, LOOKUP * count), product(bytes, DOCUMENT_BYTE * count))
  costs.spend('properties', looksUp(properties))
  if (columns.has('person_id') || uses('person__')) costs.spend('persons', product(rows, LOOKUP_ROW))
  const documents = new Map<string, Width>()
  const add = (prefix: string, table: 'persons' | 'groups', rate: number) => {
    if (!uses(prefix)) return
    costs.spend(table, sum(product(rows, LOOKUP_ROW), looksUp(rate)))
    const { largest } = costs.statistic(allOf(table))
    documents.set(`${prefix}properties`, width(perRow(rows, largest)))
  }
  add('person__', 'persons', 0)
  for (const index of [0, 1, 2, 3, 4]) add(`group_${index}__`, 'groups', 1)
  if (uses('session__')) {
    sessions({ columns: new Set([...columns].filter((key) => key.startsWith('session__'))), computed }, costs)
    costs.spend('sessions', sum(product(rows, LOOKUP_ROW), looksUp(1)))
  }
  return (key) => documents.get(key) ?? null
}

/** Adds the cost of sessions. Those of their URLs are read from all events of the project. */
function sessions(
  { columns, computed }: Pick<Extract<Source, { kind: 'table' }>, 'columns' | 'computed'>,
  costs: Costs,
): Scan {
  const counted = costs.statistic(allOf('sessions'))
  const { rows } = counted
  const read = columns.size + [...computed.values()].flatMap(({ reads }) => reads).length
  costs.spend(
    'sessions',
    sum(product(rows, ROW + (LOOKUP + AGGREGATE) * (read + 1)), product(counted.bytes, DOCUMENT_BYTE)),
  )
  const urls = [...columns].filter((key) => /\$(?:urls|num_uniq_urls)$/.test(key)).length
  if (urls > 0) {
    const events = costs.statistic(allOf('events'))
    costs.spend(
      'sessions',
      sum(
        product(events.rows, ROW + SORTED_ROW * 4 + (LOOKUP + AGGREGATE) * (urls + 1)),
        product(events.bytes, DOCUMENT_BYTE * (urls + 1)),
      ),
    )
  }
  return storedSessions(costs)
}

/** Returns the sessions, without the cost of reading them. */
export function storedSessions(costs: Costs): Scan {
  const counted = costs.statistic(allOf('sessions'))
  return { rows: counted.rows, column: (key) => sessionColumn(key, counted) }
}

/** The most bytes of the name of a channel, and a margin. */
const CHANNEL_NAME_BYTES = 20

/** Returns the width of a session's column. A text is that of one of its events; an array may have texts of all. */
function sessionColumn(key: string, { rows, bytes, largest }: Record<StatisticField, Formula>): Width {
  const field = key.replace('session__', '')
  if (field === '$channel_type') return constantWidth(rows, CHANNEL_NAME_BYTES)
  const type = SESSION_TYPES[field] ?? STRING
  if (!hasBytes(type)) return numberWidth(rows)
  return typedWidth(type, { sum: bytes, max: type.kind === 'array' ? bytes : largest }, rows)
}
