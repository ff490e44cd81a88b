// What an estimate is made of while a query is walked: nanoseconds by what they are spent on, bytes held, and what has to be known to put
// numbers to them.
import type { Query, Cte, Expr } from '../ir'
import { type Formula, product, type StatisticField, statistic, sum } from './formula'
import type { TableReads } from './table-scans'
import { withCtes } from '../joins'
import type { Width } from './width'

/** What all costs of a query have in common. */
interface Shared {
  /** What statistics are asked for. */
  reads: TableReads[]
  /** Queries that are run where upper bounds alone would refuse the query. */
  measures: Query[]
  /** Amounts that measures stand for, by what is measured. */
  measured: Map<string, Formula>
  lastId: number
}

/** Ids of sources of measures begin behind all that a query can have. */
const FIRST_ID = 1_000_000

export class Costs {
  readonly #parts = new Map<string, Formula[]>()
  readonly #held: Formula[] = []

  constructor(readonly shared: Shared = { reads: [], measures: [], measured: new Map(), lastId: FIRST_ID }) {}

  /** Nanoseconds by what they are spent on. */
  get parts(): ReadonlyMap<string, Formula> {
    return new Map([...this.#parts].map(([label, amounts]) => [label, sum(...amounts)]))
  }

  /** All nanoseconds. */
  get total(): Formula {
    return sum(...[...this.#parts.values()].flat())
  }

  /** Bytes that the database holds at once, at most. */
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

  /** Adds what another costs has, so many times. Bytes are held once: each time releases its own. */
  add(other: Costs, times: Formula = 1): void {
    for (const [label, nanoseconds] of other.parts) this.spend(label, product(nanoseconds, times))
    this.hold(other.held)
  }

  /** An empty costs that shares statistics and measures with this one. */
  fork(): Costs {
    return new Costs(this.shared)
  }

  /** The id of a source that no other has. */
  nextId(): number {
    this.shared.lastId += 1
    return this.shared.lastId
  }

  /** Adds a measure, whose items may be added later. @returns its place. */
  addMeasure(query: Query): number {
    return this.shared.measures.push(query) - 1
  }

  /** The statistics of what a table reference reads. */
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

// What an estimate knows of the queries around it.
/** What is measured of the values of an expression. */
export interface Measurement {
  number: Expr
  fn: 'sum' | 'max'
  /** Sizes of values come before counts of what is made of them: a count is taken only when its own cost is known. */
  of: 'values' | 'counts'
}

/** Where expressions are evaluated, and how often. */
export interface Frame {
  costs: Costs
  /** How many times. */
  rows: Formula
  column(source: number, column: string): Width
  element(parameter: number): Width
  /** Sizes of expressions that are columns already: what is grouped by. */
  groupKeys?: ReadonlyMap<string, Width>
  /** The rows that aggregates read; without it there are none. */
  aggregated?: Frame
  /** A number over the rows; null where it cannot be measured. */
  measure: ((wanted: Measurement, bound: Formula) => Formula) | null
  /** Estimates a query inside an expression. */
  query(query: Query, frame: Frame): { rows: Formula; columns: readonly Width[] }
}

export interface Estimate {
  rows: Formula
  columns: readonly Width[]
}

export interface Scope {
  costs: Costs
  /** The CTEs in sight, in the order in which they may read each other. */
  ctes: readonly Cte[]
  /** The row around a subquery that reads it. */
  outer: Frame | null
  /** Whether its rows can be measured: neither those of a measure itself nor those of a subquery that depends on a row. */
  canMeasure: boolean
  estimate(query: Query, scope: Scope): Estimate
}

/** Rows of FROM, and the sizes of their columns by source. */
export interface Rows {
  rows: Formula
  columns: ReadonlyMap<number, (key: string) => Width>
}

/** The scope inside a query that has CTEs. */
export const withScopedCtes = (scope: Scope, ctes: readonly Cte[]): Scope =>
  ctes.length === 0 ? scope : { ...scope, ctes: [...scope.ctes, ...ctes] }

/** CTEs by id. */
export const ctesOf = ({ ctes }: Scope): ReadonlyMap<number, Query> => withCtes(new Map(), ctes)
