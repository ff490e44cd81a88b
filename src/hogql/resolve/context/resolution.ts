// What resolving knows from outside, and what it keeps track of while it goes through a tree.
import type { Expr, Query } from '../../ir'
import type { Expression, Located, Selection } from '../../parser/ast'
import type { PropertyOwner } from '../../tables/schema'
import type { Type } from '../../types'
import { measure } from '../ir-walk'
import type { FilterTree, StoredFilters } from './filters'
import { reject } from '../../error'
import type { Environment, Scope } from './scope'

/** The declared type of a query's variable. */
export type VariableType = 'String' | 'Number' | 'Boolean' | 'List' | 'Date'

export type PropertyType = 'Numeric' | 'Boolean' | 'DateTime' | 'String'

export interface StoredTable {
  name: string
  /** By place; `isPropertyText` for one that holds the text of a property as it is. */
  columns: readonly { name: string; type: Type; isPropertyText: boolean }[]
}

export interface ResolveContext {
  /** The text that the tree was parsed from: results without an alias are named by it. */
  sql: string
  /** IANA name of the project's time zone. */
  timezone: string
  /** The variables that the query may read, by code name. */
  variables: Readonly<Record<string, VariableType>>
  /** The types of properties that have a definition. */
  propertyTypes: (owner: PropertyOwner, name: string) => PropertyType | undefined
  /** What `{filters}` stands for. */
  filters?: StoredFilters | null
  /** What `{fragments.<name>}` stands for: filters that the service itself puts into a text that it writes. */
  fragments?: Readonly<Record<string, FilterTree>>
  /** A table of rows that the service keeps, by the one name that it has in this text. */
  stored?: StoredTable
  /** The id of a static cohort by its name, for `IN COHORT 'name'`. */
  cohortNamed?: (name: string) => number | undefined
}

/** How deep a text may nest. Deeper ones are nobody's, and would end on the stack. */
const DEEPEST = 200

/** How deep and how large expressions may get when what stands behind aliases is written out. */
const DEEPEST_EXPR = 400
const LARGEST = 20_000

/** How many SELECTs a query may come to when every CTE is written out where it is read, as databases do. */
const MOST_SELECTS = 1_000

/** One run of the resolver. Its `expr` and `query` go down into any part of the tree, so that the files below need not import each other. */
export interface Resolution {
  readonly context: ResolveContext
  expr(node: Expression, scope: Scope): Expr
  query(node: Selection, environment: Environment, outer: Scope | null): Query
  /** A number that no other source, CTE or lambda parameter of the query has. */
  nextId(): number
  /** Notes that a variable is read. */
  useVariable(name: string): void
  /** Goes one level down into the text, and refuses to go on for ever. */
  within<T>(node: Located, visit: () => T): T
  /** What stands behind a name, for use once more. */
  reuse(expr: Expr, node: Located): Expr
  /** Resolves a CTE, and says how many SELECTs it comes to. */
  weigh<T>(visit: () => T): { result: T; weight: number }
  /** Notes so many SELECTs more. */
  addWeight(weight: number, node: Located): void
  /** Documents of properties, and whose they are. */
  readonly owners: WeakMap<Expr, PropertyOwner>
  readonly variables: ReadonlySet<string>
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
  const variables = new Set<string>()

  const within = <T>(node: Located, visit: () => T): T => {
    depth++
    if (depth > DEEPEST) reject(node, 'The query nests too deeply.')
    try {
      return visit()
    } finally {
      depth--
    }
  }

  const addWeight = (weight: number, node: Located): void => {
    selects += weight
    if (selects > MOST_SELECTS) {
      reject(node, `The query comes to more than ${MOST_SELECTS} SELECTs once its CTEs are written out.`)
    }
  }

  const r: Resolution = {
    context,
    expr: (node, scope) => within(node, () => dispatch.expr(r, node, scope)),
    query: (node, environment, outer) => {
      addWeight(1, node)
      return within(node, () => dispatch.query(r, node, environment, outer))
    },
    nextId: () => id++,
    useVariable: (name) => variables.add(name),
    within,
    reuse: (expr, node) => {
      const size = measure(expr)
      written += size.size
      if (written > LARGEST || size.depth > DEEPEST_EXPR) {
        reject(node, 'The query is too large once its aliases are written out.')
      }
      return expr
    },
    weigh: (visit) => {
      const before = selects
      selects = 0
      const result = visit()
      const weight = selects
      selects = before
      return { result, weight }
    },
    addWeight,
    owners: new WeakMap(),
    variables,
  }
  return r
}
