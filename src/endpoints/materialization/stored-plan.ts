// What is kept of how a version is materialized: beside its rows how they are read, and while they are being written how that goes on.
import type { CompiledQuery } from '../../hogql/compiled'

/** How the rows of one table are read. */
export interface ReadPlan {
  /** The compiler that made it: another one may not make it any more. */
  compiler: number
  /** The project's time zone, which it was made for. */
  timezone: string
  /** Code names that a run has to give. */
  required: string[]
  /** Whether the query itself has to be run where no row is kept for the values of a run. */
  inlineWhenEmpty: boolean
  /** D1 SQL, with STORED_TABLE where the table's name belongs. */
  read: CompiledQuery
}

/** A build that has begun: all that another consumer needs to finish it. */
export interface WritePlan {
  /** What of the settings it builds. */
  revision: number
  /** The moment that all rows are of, however long writing them takes. */
  startedAt: string
  write: CompiledQuery
  /** Columns of the table. */
  columns: number
  /** Places of the columns of the index. */
  indexed: number[]
  /** Rows that one statement writes at most. */
  chunk: number
  /** How they are read once all of them are there. */
  plan: ReadPlan
}

/** What the checks made of a version's query. */
export interface Eligibility {
  /** The compiler whose checks they were. */
  compiler: number
  /** Why it cannot be materialized; null when it can. */
  reason: string | null
}
