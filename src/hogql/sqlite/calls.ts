// Writes functions, aggregates and window functions for SQLite.
import { HogqlError } from '../error'
import type { SqliteAggregateSite, SqliteSite } from '../functions/spec'
import { orDefault } from '../functions/sqlite-values'
import type { Aggregate, Node } from '../ir'
import { offsetOf } from '../ir-walk'
import { commonSite, specOf } from '../print/expression'
import type { SqliteContext } from './context'
import { printDocument, propertyBoolean, propertyFloat } from './property'

export function printCall(node: Node<'call'>, context: SqliteContext): string {
  const [first] = node.args
  if (first?.node === 'property' && node.args.length === 1) {
    if (node.fn === 'toFloat') return propertyFloat(first, context)
    if (node.fn === 'toBool') return propertyBoolean(first, context)
  }
  const spec = specOf(node.fn)
  const site = siteOf(node, context)
  const args = node.args.map((arg, index) =>
    spec.takes[index] === 'json' ? printDocument(arg, context) : context.expr(arg),
  )
  if (spec.kind === 'aggregate' && spec.keeps) return spec.keeps.sqlite(args, site)
  if (spec.kind !== 'scalar') throw new Error(`${node.fn} is no scalar function`)
  const sql = spec.sqlite(args, site)
  return spec.guarded && node.type.nullable ? guarded(sql, args, node) : sql
}

/** Makes the result NULL when an argument is. */
function guarded(sql: string, args: readonly string[], node: Node<'call'>): string {
  const known = args.filter((_, index) => node.args[index]?.type.nullable).map((arg) => `${arg} IS NOT NULL`)
  return known.length === 0 ? sql : `CASE WHEN ${known.join(' AND ')} THEN ${sql} END`
}

/** Returns what the SQL of a function depends on, besides the SQL of its arguments. */
export function siteOf(
  node: Pick<Node<'call'>, 'args' | 'type'>,
  context: Pick<SqliteContext, 'parameters' | 'once' | 'zoneFor'>,
): SqliteSite {
  const { args } = node
  return {
    ...commonSite(node, context),
    zone: context.zoneFor(args),
    zoneOf: (index) => context.zoneFor(args.slice(index, index + 1)),
    zoneNamed: (name) => context.zoneFor(args, name),
    once: context.once,
    parameters: args.flatMap((arg) => (arg.node === 'lambda' ? arg.parameters.map((id) => `e${id}`) : [])),
  }
}

function aggregateSite(
  node: Pick<Aggregate, 'args' | 'type' | 'params' | 'distinct' | 'rank'>,
  context: SqliteContext,
  apply: SqliteAggregateSite['apply'],
): SqliteAggregateSite {
  const { params, distinct, rank } = node
  const place = rank ? context.expr(rank.place) : 'NULL'
  const count = rank?.count ? context.expr(rank.count) : 'NULL'
  return { ...siteOf(node, context), params, distinct, apply, rank: { place, count } }
}

/** Adds a FILTER to an aggregate call, which combines the query's condition and one of the function's own. */
function filtering({ filter }: Pick<Aggregate, 'filter'>, context: SqliteContext, over = '') {
  const own = filter && context.condition(filter, 'filter')
  return (call: string, condition?: string): string => {
    const conditions = [own, condition].filter(Boolean).join(' AND ')
    if (conditions === '') return call + over
    // SQLite's `min` and `max` ignore FILTER in a moving frame.
    const [, name, value] = (over && /^(min|max)\((.*)\)$/s.exec(call)) || []
    return name
      ? `${name}(CASE WHEN ${conditions} THEN ${value} END)${over}`
      : `${call} FILTER (WHERE ${conditions})${over}`
  }
}

export function printAggregate(node: Aggregate, context: SqliteContext): string {
  const spec = specOf(node.fn)
  if (spec.kind !== 'aggregate') throw new Error(`${node.fn} is no aggregate function`)
  const args = node.args.map((arg) => context.expr(arg))
  return spec.sqlite(args, aggregateSite(node, context, filtering(node, context)))
}

/** Writes a window function, or an aggregate before OVER. */
export function printWindowCall(node: Node<'window'>, context: SqliteContext): string {
  const args = node.args.map((arg) => context.expr(arg))
  const spec = specOf(node.fn)
  const over = ` OVER ${context.window(node.over)}`
  switch (spec.kind) {
    case 'scalar':
      throw new Error(`${node.fn} does not stand before OVER`)
    case 'window': {
      const call = () => spec.sqlite(args, siteOf(node, context)) + over
      if (spec.name === 'lagInFrame' || spec.name === 'leadInFrame') return inFrame(node, args[2], call)
      // Beyond the frame, the value is the default of a type that is never NULL.
      return node.over.frame === null && spec.name !== 'nth_value' ? call() : orDefault(call(), node.type)
    }
    case 'aggregate': {
      const call = { ...node, distinct: false }
      const types = node.args.map(({ type }) => type)
      if (!spec.window || spec.isDistinct || spec.ranked?.(types, call)) {
        throw new HogqlError(`'${spec.name}' before OVER needs the ClickHouse engine.`)
      }
      return spec.sqlite(args, aggregateSite(call, context, filtering(node, context, over)))
    }
  }
}

/**
 * Writes a neighbour within the frame. SQLite's own function reads the whole partition, which is the same if the frame contains the
 * neighbour.
 */
function inFrame(node: Node<'window'>, otherwise: string | undefined, call: () => string): string {
  switch (reaches(node)) {
    case false:
      return otherwise ?? orDefault('NULL', node.type)
    case null:
      throw new HogqlError(`'${node.fn}' with a frame of this kind needs the ClickHouse engine.`)
    case true:
      return otherwise === undefined ? orDefault(call(), node.type) : call()
  }
}

/** Returns whether the frame contains the neighbour, or null when that depends on the row or is unknown. */
function reaches({ fn, args, over: { frame, orderBy } }: Node<'window'>): boolean | null {
  const isAhead = fn === 'leadInFrame'
  const distance = args[1] === undefined ? 1 : args[1].node === 'literal' ? Number(args[1].value) : null
  // The default frame extends from the start of the partition to the row's peers. Without an order all rows are peers.
  if (frame === null) return !isAhead || distance === 0 || orderBy.length === 0
  const [start, end] = [offsetOf(frame.start), offsetOf(frame.end)]
  if (start === -Infinity && end === Infinity) return true
  if (distance === null || frame.unit !== 'rows') return null
  const place = isAhead ? distance : -distance
  return start <= place && place <= end
}
