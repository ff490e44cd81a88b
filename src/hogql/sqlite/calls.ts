// Functions of the catalogue, aggregates and window functions in SQLite's words.
import { HogqlError } from '../error'
import { findFunction } from '../functions/catalogue'
import type { AggregateFunction, FunctionSpec, SqliteAggregateSite, SqliteSite } from '../functions/spec'
import { orDefault } from '../functions/sqlite-values'
import { frameText } from '../frame-text'
import type { Aggregate, Expr, FrameBound, Order, Window } from '../ir'
import type { Context } from './context'
import { once } from './once'
import { printDocument, propertyBoolean, propertyFloat } from './property'
import { zoneNamed } from './zone'

type Call = Extract<Expr, { node: 'call' }>
type WindowCall = Extract<Expr, { node: 'window' }>

export function printCall(node: Call, context: Context): string {
  const [first] = node.args
  if (first?.node === 'property' && node.args.length === 1 && !context.known) {
    if (node.fn === 'toFloat') return propertyFloat(first, context)
    if (node.fn === 'toBool') return propertyBoolean(first, context)
  }
  const spec = specOf(node.fn)
  if (spec.kind !== 'scalar') throw new Error(`${node.fn} is no scalar function`)
  const args = node.args.map((arg, index) =>
    spec.takes[index] === 'json' ? printDocument(arg, context) : context.writers.expr(arg, context),
  )
  const sql = spec.sqlite(args, siteOf(node, context))
  return spec.guarded && node.type.nullable ? guarded(sql, args, node) : sql
}

/** NULL where an argument is. */
function guarded(sql: string, args: readonly string[], node: Call): string {
  const known = args.filter((_, index) => node.args[index]?.type.nullable).map((arg) => `${arg} IS NOT NULL`)
  return known.length === 0 ? sql : `CASE WHEN ${known.join(' AND ')} THEN ${sql} END`
}

function specOf(name: string): FunctionSpec {
  const spec = findFunction(name)
  if (!spec) throw new Error(`the catalogue has no function ${name}`)
  return spec
}

function siteOf({ args, type }: Pick<Call, 'args' | 'type'>, { parameters, zone }: Context): SqliteSite {
  return {
    types: args.map((arg) => arg.type),
    type,
    constants: args.map((arg) => (arg.node === 'literal' ? arg.value : undefined)),
    bind: (value) => parameters.bind(value),
    zone,
    zoneNamed: (name) => zoneNamed(name, (text) => parameters.bind(text)),
    once,
    parameters: args.flatMap((arg) => (arg.node === 'lambda' ? arg.parameters.map((id) => `e${id}`) : [])),
  }
}

/** An aggregate of the SELECT that `context` is for. */
export function printAggregate(node: Aggregate, context: Context): string {
  const { aggregates } = context
  if (!aggregates) throw new Error('an aggregate where there is none')
  const { rows } = aggregates
  const args = node.args.map((arg) => rows.writers.expr(arg, rows))
  const filter = node.filter && rows.writers.condition(node.filter, 'filter', rows)
  const spec = specOf(node.fn)
  if (spec.kind !== 'aggregate') throw new Error(`${node.fn} is no aggregate function`)
  return spec.sqlite(args, {
    ...aggregateSite(node, rows, (call, condition) =>
      aggregates.call(call + filterClause([filter, condition])),
    ),
    rank: rankOf(node, spec, args, filter, context) ?? NO_RANK,
  })
}

const NO_RANK = { place: 'NULL', count: 'NULL' }

const filterClause = (conditions: readonly (string | null | undefined)[]): string => {
  const all = conditions.filter(Boolean)
  return all.length === 0 ? '' : ` FILTER (WHERE ${all.join(' AND ')})`
}

function aggregateSite(
  node: Pick<Aggregate, 'args' | 'type' | 'params' | 'distinct'>,
  context: Context,
  apply: SqliteAggregateSite['apply'],
): SqliteAggregateSite {
  return { ...siteOf(node, context), params: node.params, distinct: node.distinct, apply, rank: NO_RANK }
}

/** Where the rows of a group have to be in order, the columns that say so. */
function rankOf(
  node: Aggregate,
  spec: AggregateFunction,
  args: readonly string[],
  filter: string | null,
  { aggregates }: Context,
): { place: string; count: string } | null {
  const ranking = spec.ranked?.(node.args.map(({ type }) => type)) ?? null
  if (ranking === null || !aggregates) return null
  const counting = [
    filter,
    ...args.filter((_, index) => node.args[index]?.type.nullable).map((arg) => `${arg} IS NOT NULL`),
  ]
  return aggregates.rank({
    counts: counting.filter(Boolean).join(' AND ') || '1',
    by: args[ranking.by] ?? 'NULL',
    descending: ranking.descending,
  })
}

/** A window function, or an aggregate before OVER. */
export function printWindow(node: WindowCall, context: Context): string {
  const { writers } = context
  const args = node.args.map((arg) => writers.expr(arg, context))
  const filter = node.filter && writers.condition(node.filter, 'filter', context)
  const spec = specOf(node.fn)
  const over = ` OVER (${windowClause(node.over, context)})`
  switch (spec.kind) {
    case 'scalar':
      throw new Error(`${node.fn} does not stand before OVER`)
    case 'window': {
      if (spec.name === 'lagInFrame' || spec.name === 'leadInFrame') return inFrame(node, args, over, context)
      return context.window(spec.sqlite(args, siteOf(node, context)) + over)
    }
    case 'aggregate': {
      const types = node.args.map(({ type }) => type)
      if (!spec.window || spec.ranked?.(types)) {
        throw new HogqlError(`'${spec.name}' before OVER needs the ClickHouse engine.`)
      }
      const apply = (call: string, condition?: string) => {
        // SQLite takes no DISTINCT there.
        if (/^\w+\(DISTINCT /.test(call))
          throw new HogqlError(`'${spec.name}' before OVER needs the ClickHouse engine.`)
        return context.window(call + filterClause([filter, condition]) + over)
      }
      return spec.sqlite(args, aggregateSite({ ...node, distinct: false }, context, apply))
    }
  }
}

/** A neighbour within the frame. SQLite's own looks at the whole partition, which is as good where the frame reaches as far. */
function inFrame(node: WindowCall, args: readonly string[], over: string, context: Context): string {
  const otherwise = args[2]
  switch (reaches(node)) {
    case false:
      return otherwise ?? orDefault('NULL', node.type)
    case null:
      throw new HogqlError(`'${node.fn}' with a frame of this kind needs the ClickHouse engine.`)
    case true:
  }
  const spec = specOf(node.fn)
  if (spec.kind !== 'window') throw new Error(`${node.fn} is no window function`)
  const found = context.window(spec.sqlite(args, siteOf(node, context)) + over)
  return otherwise === undefined ? orDefault(found, node.type) : found
}

/** Whether the frame holds the row that a neighbour function asks for; null where it holds it for some rows, or that is not known. */
function reaches({ fn, args, over: { frame, orderBy } }: WindowCall): boolean | null {
  const isAhead = fn === 'leadInFrame'
  const distance = args[1] === undefined ? 1 : args[1].node === 'literal' ? Number(args[1].value) : null
  if (distance === 0) return true
  // Without a frame it is all of the partition up to the row's peers, and without an order all rows are peers.
  if (frame === null) return !isAhead || (orderBy.length === 0 ? true : frameEnd(null, distance))
  const bound = isAhead ? frame.end : frame.start
  if (bound.kind === (isAhead ? 'unbounded following' : 'unbounded preceding')) return true
  return frame.unit === 'rows' ? frameEnd(bound, distance, isAhead) : null
}

/** A frame of so many rows beside the current one. */
function frameEnd(bound: FrameBound | null, distance: number | null, isAhead = true): boolean | null {
  if (bound === null || bound.kind === 'current row') return false
  if (distance === null || bound.kind !== (isAhead ? 'following' : 'preceding')) return null
  return bound.count >= distance
}

function windowClause({ partitionBy, orderBy, frame }: Window, context: Context): string {
  const { writers } = context
  return [
    partitionBy.length > 0 &&
      `PARTITION BY ${partitionBy.map((each) => writers.expr(each, context)).join(', ')}`,
    orderBy.length > 0 &&
      `ORDER BY ${orderBy.map((each) => printOrder(each, writers.expr(each.expr, context))).join(', ')}`,
    frame && frameText(frame),
  ]
    .filter(Boolean)
    .join(' ')
}

/** One item of ORDER BY. NULLs come last either way, which is how SQLite has it only where the greatest come first. */
export function printOrder({ expr, descending }: Order, sql: string): string {
  if (descending) return `${sql} DESC`
  // A float that is no number is NULL as well.
  return expr.type.nullable || expr.type.kind === 'float' ? `${sql} NULLS LAST` : sql
}
