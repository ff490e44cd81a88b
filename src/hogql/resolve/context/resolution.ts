// The resolver's input and state.
import type { ActionStep } from '../filters/action-steps'
import type { Expr, Query } from '../../ir'
import type { Expression, Located, Selection } from '../../parser/ast'
import type { PropertyOwner } from '../../tables/schema'
import { type Type, typeSize } from '../../types'
import { measure } from '../../ir-walk'
import { type FilterTree, type ParsedFilters, parseFilters, type StoredFilters } from './filters'
import { ComputationBudget } from '../../computed/limits'
import { reject, type Warning } from '../../error'
import type { Environment, Scope } from './scope'

/** The declared type of a query's variable. */
export type VariableType = 'String' | 'Number' | 'Boolean' | 'List' | 'Date'

export type PropertyType = 'Numeric' | 'Boolean' | 'DateTime' | 'String'

/** The id or the name of a cohort. */
export type CohortReference = number | string

/** The id or the name of an action. */
export type ActionReference = number | string

export interface StoredTable {
  name: string
  /** The columns by index. `isPropertyText` marks an unconverted property. */
  columns: readonly { name: string; type: Type; isPropertyText: boolean }[]
}

export interface ResolveContext {
  /** The text of the tree, from which columns without an alias have their names. */
  sql: string
  /** IANA name of the project's time zone. */
  timezone: string
  /** The variables that the query may read, by code name. */
  variables: Readonly<Record<string, VariableType>>
  /** Returns the type of a property with a definition. */
  propertyTypes: (owner: PropertyOwner, name: string) => PropertyType | undefined
  /** The value of `{filters}`. */
  filters?: StoredFilters | null
  /** The values of `{<name>}`, in the JSON of the query. */
  values?: Readonly<Record<string, unknown>> | null
  /** The values of `{fragments.<name>}`: filters of queries that the service generates. */
  fragments?: Readonly<Record<string, FilterTree>>
  /** Filters of type `hogql`, parsed, by their text. */
  filterExpressions?: ReadonlyMap<string, Expression>
  /** The table of a materialized query's rows, which only generated queries name. */
  stored?: StoredTable
  /**
   * Returns the id of a static cohort by its id or name, or undefined for an unknown one. Without this function every id counts as known.
   */
  findCohort?: (reference: CohortReference) => number | undefined
  /** Returns the steps of an action by its id or name, or undefined for an unknown one. */
  findAction?: (reference: ActionReference) => readonly ActionStep[] | undefined
  /** Names of actions that may be suggested for a misspelt name. */
  actionNames?: readonly string[]
  /** Returns a defined name that may be suggested for a name without a definition. */
  suggestName?: (owner: PropertyOwner | 'event_name', name: string) => string | undefined
}

/** The most warnings of a query. */
const MAX_WARNINGS = 20

/** The maximum depth. Deeper queries overflow the stack. */
const MAX_DEPTH = 200

/** The maxima of expressions whose aliases are written out. */
const MAX_EXPR_DEPTH = 400
const MAX_EXPR_SIZE = 20_000

/**
 * The most expressions that are resolved. Each time that a query names an expression of WITH or a window, or has `{filters}`, all of it is
 * resolved again, so that a small query may have many. The limit is ten times what the longest text has, and twice the values of a body.
 */
export const MAX_RESOLVED = 200_000

/** The most parts of a type. Each tuple of two tuples has twice as many, however short its name is. */
export const MAX_TYPE_SIZE = 1_000

/** The most SELECTs of a query whose CTEs are written out, as databases do. */
const MAX_SELECTS = 1_000

/** One run of the resolver. `expr` and `query` resolve any part of the tree, so that modules need not import each other. */
export interface Resolution {
  readonly context: ResolveContext
  expr(node: Expression, scope: Scope): Expr
  query(node: Selection, environment: Environment, outer: Scope | null): Query
  /** Returns an id that no other source, CTE or lambda parameter of the query has. */
  nextId(): number
  useVariable(name: string): void
  /** Returns the value of `{filters}`, which is parsed once for all its placeholders, or undefined when it is malformed. */
  parsedFilters(): ParsedFilters | undefined
  /**
   * Visits a nested part.
   * @throws HogqlError above the maximum depth
   */
  nested<T>(node: Located, visit: () => T): T
  /**
   * Uses an expression once more.
   * @throws HogqlError above the maximum size
   */
  reuse(expr: Expr, node: Located): Expr
  /**
   * Counts expressions that are resolved without `expr`.
   * @throws HogqlError above the maximum
   */
  countResolved(count: number, node: Located): void
  /** Counts the SELECTs of a CTE, without adding them. */
  countSelects<T>(visit: () => T): { result: T; weight: number }
  addSelects(weight: number, node: Located): void
  /** The owners of the properties in documents. */
  readonly owners: WeakMap<Expr, PropertyOwner>
  readonly variables: ReadonlySet<string>
  readonly warnings: readonly Warning[]
  /** Warns once about a part of the text. It ignores generated parts. */
  warn(part: Located, message: string, fix?: string): void
  /** The budget for checking constant regular expressions. */
  readonly patterns: ComputationBudget
}

interface Dispatch {
  expr(r: Resolution, node: Expression, scope: Scope): Expr
  query(r: Resolution, node: Selection, environment: Environment, outer: Scope | null): Query
}

export function startResolution(context: ResolveContext, dispatch: Dispatch): Resolution {
  let id = 0
  let depth = 0
  let written = 0
  let selects = 0
  let resolved = 0
  let filters: { parsed: ParsedFilters | undefined } | undefined
  const variables = new Set<string>()
  const warnings: Warning[] = []

  const nested = <T>(node: Located, visit: () => T): T => {
    depth++
    if (depth > MAX_DEPTH) reject(node, 'The query nests too deeply.')
    try {
      return visit()
    } finally {
      depth--
    }
  }

  const countResolved = (count: number, node: Located): void => {
    resolved += count
    if (resolved > MAX_RESOLVED)
      reject(node, 'The query is too large once what it names several times is written out.')
  }

  const addSelects = (weight: number, node: Located): void => {
    selects += weight
    if (selects > MAX_SELECTS) {
      reject(node, `The query has more than ${MAX_SELECTS} SELECTs once its CTEs are expanded.`)
    }
  }

  const r: Resolution = {
    context,
    expr: (node, scope) => {
      countResolved(1, node)
      const found = nested(node, () => dispatch.expr(r, node, scope))
      if (typeSize(found.type) > MAX_TYPE_SIZE)
        reject(node, `A value has at most ${MAX_TYPE_SIZE} parts within tuples.`)
      return found
    },
    countResolved,
    query: (node, environment, outer) => {
      addSelects(1, node)
      return nested(node, () => dispatch.query(r, node, environment, outer))
    },
    nextId: () => id++,
    useVariable: (name) => variables.add(name),
    parsedFilters: () => (filters ??= { parsed: parseFilters(context.filters) }).parsed,
    nested,
    reuse: (expr, node) => {
      const size = measure(expr)
      written += size.size
      if (written > MAX_EXPR_SIZE || size.depth > MAX_EXPR_DEPTH) {
        reject(node, 'The query is too large once its aliases are expanded.')
      }
      return expr
    },
    countSelects: (visit) => {
      const before = selects
      selects = 0
      const result = visit()
      const weight = selects
      selects = before
      return { result, weight }
    },
    addSelects,
    owners: new WeakMap(),
    variables,
    warnings,
    warn: ({ start, end }, message, fix) => {
      const isKnown = warnings.some((other) => other.start === start && other.message === message)
      if (start === null || end === null || isKnown || warnings.length >= MAX_WARNINGS) return
      warnings.push({ message, start, end, fix: fix ?? null })
    },
    patterns: new ComputationBudget(),
  }
  return r
}
