// What an estimate accumulates, and what it needs, while it walks a query.
import type { Cte, Expr, Node, Query, TableName } from '../ir'
import { type Formula, product, type StatisticField, statistic, sum } from './formula'
import { withCtes } from '../joins'
import type { Width } from './width'

/** The rows of a table that a reference reads. It is a key of statistics. */
export interface TableReads {
  table: TableName | 'stored'
  /** Lower and upper bounds of the events' timestamps; a bound counts its whole day. */
  from: readonly Expr[]
  to: readonly Expr[]
  /** Lower bounds of the events' times of arrival. */
  arrived: readonly Expr[]
  /** Names of the events; null for all. */
  events: readonly Expr[] | null
}

/** How many groups rows have, and how many rows the largest one has. */
export interface Groups {
  groups: Formula
  largest: Formula
}

interface Shared {
  /** The project's time zone. */
  timezone: string
  /** Statistics to read. */
  reads: TableReads[]
  /** Measures to take where upper bounds exceed the budget. */
  measures: Query[]
  /** Formulas of the matching rows of joins, by the rows and keys of both sides, for all statements. */
  joins: Map<string, Formula>
  /** Formulas of measures, by what they measure. */
  measured: Map<string, Formula>
  /** Measures of groups, by rows and keys. */
  groups: Map<string, Groups>
  lastId: number
}

/** The ids of a measure's sources are above all ids of the query. */
const FIRST_ID = 1_000_000

export class Costs {
  readonly #parts = new Map<string, Formula[]>()
  readonly #held: Formula[] = []

  constructor(readonly shared: Shared) {}

  /** @param timezone the project's */
  static empty(timezone: string): Costs {
    return new Costs({
      timezone,
      reads: [],
      measures: [],
      joins: new Map(),
      measured: new Map(),
      groups: new Map(),
      lastId: FIRST_ID,
    })
  }

  /** Nanoseconds by label. */
  get parts(): ReadonlyMap<string, Formula> {
    return new Map([...this.#parts].map(([label, amounts]) => [label, sum(...amounts)]))
  }

  get total(): Formula {
    return sum(...[...this.#parts.values()].flat())
  }

  /** The maximum of bytes held at once. */
  get held(): Formula {
    return sum(...this.#held)
  }

  spend(label: string, nanoseconds: Formula): void {
    if (nanoseconds === 0) return
    const amounts = this.#parts.get(label)
    if (amounts) amounts.push(nanoseconds)
    else this.#parts.set(label, [nanoseconds])
  }

  hold(bytes: Formula): void {
    if (bytes !== 0) this.#held.push(bytes)
  }

  /** Adds other costs several times. Bytes are added once, because each run releases its own. */
  add(other: Costs, times: Formula = 1): void {
    for (const [label, nanoseconds] of other.parts) this.spend(label, product(nanoseconds, times))
    this.hold(other.held)
  }

  /** Returns empty costs that share statistics and measures with these. */
  fork(): Costs {
    return new Costs(this.shared)
  }

  /** Returns empty costs of another statement, which whose conditions on the same sources may differ. */
  ofStatement(): Costs {
    return new Costs({ ...this.shared, measured: new Map(), groups: new Map() })
  }

  nextId(): number {
    this.shared.lastId += 1
    return this.shared.lastId
  }

  /**
   * Adds a measure, to which items may be added later.
   * @returns its index
   */
  addMeasure(query: Query): number {
    return this.shared.measures.push(query) - 1
  }

  statistic(reads: TableReads): Record<StatisticField, Formula> {
    const key = JSON.stringify(reads)
    const known = this.shared.reads.findIndex((each) => JSON.stringify(each) === key)
    const index = known < 0 ? this.shared.reads.push(reads) - 1 : known
    return {
      rows: statistic(index, 'rows'),
      bytes: statistic(index, 'bytes'),
      largest: statistic(index, 'largest'),
    }
  }
}

/** A number that is measured over rows. */
export interface Measurement {
  number: Expr
  fn: 'sum' | 'max'
  /** Rows are measured before sizes of values, and these before counts that depend on them. */
  of: 'rows' | 'values' | 'counts'
}

/** The rows in which expressions are evaluated. */
export interface Frame {
  costs: Costs
  rows: Formula
  column(expr: Node<'column'>): Width
  element(parameter: number): Width
  /** Returns the width of an expression that is a key of GROUP BY, and undefined for other expressions. */
  groupKey?: (expr: Expr) => Width | undefined
  /** The rows that aggregates read. Without it, the expression may have no aggregates. */
  aggregated?: Frame
  /** The rows of the largest group of these rows; by default, all may be in one. */
  largest?: Formula
  /** The widths of the values that aggregates read in these rows, each of which is computed once. */
  values?: Map<string, Width>
  /** The windows in whose order the rows have been sorted. */
  windows: Set<string>
  /** Measures a number over the rows. It is null when nothing can be measured. */
  measure: ((wanted: Measurement, bound: Formula) => Formula) | null
  /** Estimates a subquery of an expression. It runs once. */
  query(query: Query, costs: Costs): Estimate
}

export interface Estimate {
  rows: Formula
  columns: readonly Width[]
}

export interface Scope {
  costs: Costs
  /** The CTEs, each before those that may read it. */
  ctes: readonly Cte[]
  /** Whether measures may be added, which is not so in a measure. */
  canMeasure: boolean
  estimate(query: Query, scope: Scope): Estimate
}

/** The rows of FROM, and the widths of their columns by source. */
export interface Rows {
  rows: Formula
  columns: ReadonlyMap<number, (key: string) => Width>
}

export const withScopedCtes = (scope: Scope, ctes: readonly Cte[]): Scope =>
  ctes.length === 0 ? scope : { ...scope, ctes: [...scope.ctes, ...ctes] }

export const ctesOf = ({ ctes }: Scope): ReadonlyMap<number, Query> => withCtes(new Map(), ctes)
