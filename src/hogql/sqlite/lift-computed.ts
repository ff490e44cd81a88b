// Replaces functions that the Worker computes. Before the query runs, a statement reads the distinct texts of their operand from the rows
// that the query reads; the Worker computes the function of each; and the query looks the results up in a parameter.
import type { Constant } from '../computed/compute'
import { findFunction } from '../functions/catalogue'
import type { ScalarFunction } from '../functions/spec'
import type { Cte, Expr, From, Node, Query, Select, SetOperation, Source } from '../ir'
import { all, call, column, literal, literalOf, selectOf, unnamed } from '../ir-build'
import { ExprIndex } from '../expr-index'
import { idsIn, mapParts, partsOf, queriesOf, sourcesOf } from '../ir-walk'
import { conjunctsOf } from '../joins'
import { INTEGER, nullable, STRING, type Type } from '../types'

/** A constant argument, or a variable. */
export type LiftedConstant =
  | { kind: 'constant'; value: Constant }
  | { kind: 'variable'; name: string; type: Type }

export interface Lifted {
  /** The query without functions that the Worker computes, except those that cannot be replaced. */
  query: Query
  /** Queries of one text column. A query may look up results in tables that earlier ones fill. */
  texts: Query[]
  /** Tables of results. Each is of one function for the texts of one query. */
  tables: { fn: string; constants: LiftedConstant[]; texts: number; isCondition: boolean }[]
}

export function liftComputed(query: Query): Lifted {
  const lifter = new Lifter(Math.max(0, ...idsIn(query)))
  return { query: lifter.query(query), texts: lifter.texts, tables: lifter.tables }
}

/** Where a call occurs: returns a query of the values that an expression has there, or null when there is none. */
type Place = (operand: Expr) => Select | null

/** The rows of groups, and the columns that replace their keys. */
interface Grouped {
  rows: Place
  keys: ExprIndex<Expr>
}

type ComputedCall = Node<'call'> & { spec: ScalarFunction & { computed: object } }

class Lifter {
  readonly texts: Query[] = []
  readonly tables: Lifted['tables'] = []
  readonly #places = new Map<string, number>()
  readonly #ctes = new Map<number, Cte>()
  #lastId: number

  constructor(lastId: number) {
    this.#lastId = lastId
  }

  query(query: Query): Query {
    const ctes = query.ctes.map((cte) => {
      const lifted = { ...cte, query: this.query(cte.query) }
      this.#ctes.set(cte.id, lifted)
      return lifted
    })
    return query.kind === 'set' ? this.#set({ ...query, ctes }) : this.#select({ ...query, ctes })
  }

  #set(set: SetOperation): SetOperation {
    const rest = set.rest.map((leg) => ({ ...leg, query: this.query(leg.query) }))
    return { ...set, initial: this.query(set.initial), rest }
  }

  #select(select: Select): Select {
    const from = select.from && this.#from(select.from)
    const ids = new Set(sourcesOf({ from }).map(({ id }) => id))
    const isOwn = (part: Expr) => readsWithin(part, ids)
    const read = conjunctsOf(select.where).filter((part) => !someCall(part) && isOwn(part))
    const where = read.length === 0 ? null : all(read)
    const rows: Place = (operand) =>
      isOwn(operand)
        ? selectOf({ items: [unnamed(operand)], from: from && pruned(from, [operand, ...read]), where })
        : null
    const groupBy = select.groupBy.map((key) => this.#expr(key, rows))
    const groups: Place = (operand) => {
      const found = rows(operand)
      const of = found && from && { from: pruned(from, [operand, ...read, ...groupBy]) }
      return found && { ...found, ...of, groupBy, aggregated: true }
    }
    const keys = new ExprIndex<Expr>()
    for (const [index, key] of select.groupBy.entries()) keys.add(key, groupBy[index]!)
    const result = (expr: Expr) => this.#expr(expr, select.aggregated ? groups : rows, { rows, keys })
    return {
      ...select,
      from,
      where: select.where && this.#expr(select.where, rows),
      groupBy,
      items: select.items.map((item) => ({ ...item, expr: result(item.expr) })),
      having: select.having && result(select.having),
      orderBy: select.orderBy.map((order) => ({ ...order, expr: result(order.expr) })),
      limitBy: select.limitBy && { ...select.limitBy, by: select.limitBy.by.map(result) },
    }
  }

  #from({ source, joins }: From): From {
    const from: From = { source: this.#source(source, null), joins: [] }
    for (const join of joins) {
      const next = this.#source(join.source, { ...from, joins: [...from.joins] })
      const sources = [...sourcesOf({ from }), next]
      const on = join.on && this.#expr(join.on, (operand) => ofOneSource(operand, sources))
      from.joins.push({ ...join, source: next, on })
    }
    return from
  }

  /** @param before the sources that are joined before it */
  #source(source: Source, before: From | null): Source {
    if (source.kind === 'query') return { ...source, query: this.query(source.query) }
    if (source.kind !== 'elements') return source
    const ids = new Set(sourcesOf({ from: before }).map(({ id }) => id))
    const place: Place = (operand) =>
      readsWithin(operand, ids)
        ? selectOf({ items: [unnamed(operand)], from: before && pruned(before, [operand]) })
        : null
    return { ...source, array: this.#expr(source.array, place) }
  }

  #expr(expr: Expr, place: Place, grouped?: Grouped): Expr {
    const key = grouped?.keys.find(expr)
    if (key) return key
    if (expr.node === 'aggregate' && grouped) return this.#expr(expr, grouped.rows)
    if (expr.node === 'call' && expr.args[0]?.node === 'lambda') return this.#lambdaCall(expr, place, grouped)
    const mapped = mapParts(expr, {
      expr: (part) => this.#expr(part, place, grouped),
      query: (query) => this.query(query),
    })
    const found = asComputed(mapped)
    return found ? (this.#lookup(found, place) ?? mapped) : mapped
  }

  /** Replaces calls in a lambda, whose body is computed for the arrays' elements. */
  #lambdaCall(outer: Node<'call'>, place: Place, grouped?: Grouped): Expr {
    const [lambda, ...arrays] = outer.args as [Node<'lambda'>, ...Expr[]]
    const lifted = arrays.map((array) => this.#expr(array, place, grouped))
    const elements: Place = (operand) => {
      const [parameter, ...others] = elementsIn(operand)
      if (parameter === undefined) return place(operand)
      const array = lifted[lambda.parameters.indexOf(parameter)]
      if (others.length > 0 || array?.type.kind !== 'array' || !readsWithin(operand, new Set(), parameter))
        return null
      const query = place(array)
      if (query === null) return null
      const [id, element] = [++this.#lastId, ++this.#lastId]
      const { of } = array.type
      const value = column(element, 'value', of)
      const source: Source = { kind: 'elements', id: element, array: column(id, 'c0', array.type), type: of }
      return selectOf({
        items: [unnamed(withElement(operand, parameter, value))],
        from: { source: { kind: 'query', id, query }, joins: [{ kind: 'cross', source, on: null }] },
      })
    }
    const body = this.#expr(lambda.body, elements)
    return { ...outer, args: [{ ...lambda, body }, ...lifted] }
  }

  /** Returns null for a call that is not replaced. */
  #lookup({ fn, args, type, spec }: ComputedCall, place: Place): Expr | null {
    const { operand: index, isCondition, isPlain, ofNull } = spec.computed!
    const others = args.filter((_, at) => at !== index)
    if (isPlain?.(args.map(literalOf))) return null
    const constants = others.map(constantOf)
    const operand = args[index]!
    const query = constants.some((constant) => constant === null) ? null : place(operand)
    if (query === null) return null
    const texts = this.#numbered(this.texts, { ...query, distinct: true, ctes: this.#ctesOf(query) })
    const table = this.#numbered(this.tables, {
      fn,
      constants: constants as LiftedConstant[],
      texts,
      isCondition,
    })
    const found = (of: Type): Expr => ({ node: 'lookup', table, operand, isCondition, type: of })
    return ofNull === undefined || !operand.type.nullable
      ? found(type)
      : call('ifNull', found(nullable(type)), literal(ofNull, typeof ofNull === 'string' ? STRING : INTEGER))
  }

  /** Returns the position of a member in a list. Equal members share one. */
  #numbered<T>(list: T[], member: T): number {
    const key = JSON.stringify(member)
    const known = this.#places.get(key) ?? list.push(member) - 1
    this.#places.set(key, known)
    return known
  }

  /** Returns the CTEs that a query reads, and those that they read, in order. */
  #ctesOf(query: Query): Cte[] {
    const read = new Set<number>()
    const visit = (part: Expr | Query): void => {
      if ('kind' in part) for (const id of ctesReadBy(part)) visitCte(id)
      for (const inner of [...partsOf(part), ...queriesOf(part)]) visit(inner)
    }
    const visitCte = (id: number) => {
      const cte = read.has(id) ? undefined : this.#ctes.get(id)
      read.add(id)
      if (cte) for (const part of [cte.query, ...(cte.steps ?? [])]) visit(part)
    }
    visit(query)
    return [...this.#ctes.values()].filter(({ id }) => read.has(id))
  }
}

const ctesReadBy = (query: Query): number[] =>
  query.kind === 'set'
    ? []
    : sourcesOf(query).flatMap((source) => (source.kind === 'cte' ? [source.cte] : []))

function asComputed(expr: Expr): ComputedCall | null {
  if (expr.node !== 'call') return null
  const spec = findFunction(expr.fn)
  return spec?.kind === 'scalar' && spec.computed
    ? { ...expr, spec: { ...spec, computed: spec.computed } }
    : null
}

/** Returns whether there is a computed call in an expression, also within its subqueries. */
const someCall = (part: Expr | Query): boolean =>
  ('node' in part && (asComputed(part) !== null || part.node === 'lookup')) ||
  [...partsOf(part), ...queriesOf(part)].some(someCall)

function constantOf(expr: Expr): LiftedConstant | null {
  if (expr.node === 'literal') return { kind: 'constant', value: expr.value }
  if (expr.node === 'variable') return { kind: 'variable', name: expr.name, type: expr.type }
  const items = expr.node === 'array' ? expr.items.map(literalOf) : []
  return expr.node === 'array' && items.every((item) => item !== undefined)
    ? { kind: 'constant', value: items }
    : null
}

/** Returns whether an expression reads only these sources, and of the lambdas around it no element but one. */
function readsWithin(expr: Expr, sources: ReadonlySet<number>, parameter?: number): boolean {
  const own = new Set<number>()
  const visit = (part: Expr | Query): boolean => {
    if ('kind' in part && part.kind === 'select') for (const { id } of sourcesOf(part)) own.add(id)
    if ('node' in part) {
      if (part.node === 'column' && !sources.has(part.source) && !own.has(part.source)) return false
      if (part.node === 'lambda') for (const id of part.parameters) own.add(id)
      if (part.node === 'element' && part.parameter !== parameter && !own.has(part.parameter)) return false
    }
    return [...partsOf(part), ...queriesOf(part)].every(visit)
  }
  return visit(expr)
}

/** Returns the parameters that an expression reads of lambdas around it. */
function elementsIn(expr: Expr): number[] {
  const own = new Set<number>()
  const found = new Set<number>()
  const visit = (part: Expr | Query): void => {
    if ('node' in part && part.node === 'lambda') for (const id of part.parameters) own.add(id)
    if ('node' in part && part.node === 'element') found.add(part.parameter)
    for (const inner of [...partsOf(part), ...queriesOf(part)]) visit(inner)
  }
  visit(expr)
  return [...found.difference(own)]
}

const withElement = (expr: Expr, parameter: number, value: Expr): Expr =>
  expr.node === 'element' && expr.parameter === parameter
    ? value
    : mapParts(expr, { expr: (part) => withElement(part, parameter, value), query: (query) => query })

/** Returns a query of the values of an expression over one source, for the condition of a join. */
function ofOneSource(operand: Expr, sources: readonly Source[]): Select | null {
  const source = sources.find(({ id }) => readsWithin(operand, new Set([id])))
  return source && source.kind !== 'elements'
    ? selectOf({ items: [unnamed(operand)], from: pruned({ source, joins: [] }, [operand]) })
    : null
}

/** Returns FROM with only those columns of its tables that the expressions and its own conditions read. */
function pruned(from: From, read: readonly Expr[]): From {
  const columns = new Map<number, Set<string>>()
  const visit = (part: Expr | Query): void => {
    if ('node' in part && part.node === 'column')
      columns.set(part.source, (columns.get(part.source) ?? new Set()).add(part.column))
    for (const inner of [...partsOf(part), ...queriesOf(part)]) visit(inner)
  }
  for (const expr of read) visit(expr)
  for (const { on, source } of from.joins) {
    if (on) visit(on)
    if (source.kind === 'elements') visit(source.array)
  }
  const prune = (source: Source): Source =>
    source.kind === 'table' ? { ...source, columns: columns.get(source.id) ?? new Set() } : source
  return {
    source: prune(from.source),
    joins: from.joins.map((join) => ({ ...join, source: prune(join.source) })),
  }
}
