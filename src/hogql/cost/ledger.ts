// What an estimate is made of while a query is walked: nanoseconds by what they are spent on, bytes held, and what has to be known to put
// numbers to them.
import type { Query } from '../ir'
import { type Amount, product, type StatisticField, statistic, sum } from './amount'
import type { TableReads } from './table-reads'

/** What all ledgers of a query have in common. */
interface Shared {
  /** What statistics are asked for. */
  reads: TableReads[]
  /** Queries that are run where upper bounds alone would refuse the query. */
  measures: Query[]
  /** Amounts that measures stand for, by what is measured. */
  measured: Map<string, Amount>
  lastId: number
}

/** Ids of sources of measures begin behind all that a query can have. */
const FIRST_ID = 1_000_000

export class Ledger {
  readonly #parts = new Map<string, Amount[]>()
  readonly #held: Amount[] = []

  constructor(readonly shared: Shared = { reads: [], measures: [], measured: new Map(), lastId: FIRST_ID }) {}

  /** Nanoseconds by what they are spent on. */
  get parts(): ReadonlyMap<string, Amount> {
    return new Map([...this.#parts].map(([label, amounts]) => [label, sum(...amounts)]))
  }

  /** All nanoseconds. */
  get total(): Amount {
    return sum(...[...this.#parts.values()].flat())
  }

  /** Bytes that the database holds at once, at most. */
  get held(): Amount {
    return sum(...this.#held)
  }

  spend(label: string, nanoseconds: Amount): void {
    if (nanoseconds === 0) return
    const amounts = this.#parts.get(label)
    if (amounts) amounts.push(nanoseconds)
    else this.#parts.set(label, [nanoseconds])
  }

  hold(bytes: Amount): void {
    if (bytes !== 0) this.#held.push(bytes)
  }

  /** Adds what another ledger has, so many times. Bytes are held once: each time releases its own. */
  add(other: Ledger, times: Amount = 1): void {
    for (const [label, nanoseconds] of other.parts) this.spend(label, product(nanoseconds, times))
    this.hold(other.held)
  }

  /** An empty ledger that shares statistics and measures with this one. */
  fork(): Ledger {
    return new Ledger(this.shared)
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
  statistic(reads: TableReads): Record<StatisticField, Amount> {
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
