// Stored plans: how materialized rows are read, and how they are written.
import type { CompiledQuery } from '../../hogql/compiled'

export interface ReadPlan {
  /** Plans of other compilers are not used. */
  compiler: number
  /** Time zone that the plan was compiled for. */
  timezone: string
  /** Variables that a run requires. */
  required: string[]
  /** Whether to run the query itself when no row matches. */
  inlineWhenEmpty: boolean
  /** D1 SQL; STORED_TABLE stands for the table's name. */
  read: CompiledQuery
}

/** A build in progress: all that another consumer needs to finish it. */
export interface WritePlan {
  /** Revision of the settings. */
  revision: number
  /** Time of all rows, however long the build takes. */
  startedAt: string
  write: CompiledQuery
  /** Number of columns. */
  columns: number
  /** Indexes of the indexed columns. */
  indexed: number[]
  /** Maximum rows per statement. */
  chunk: number
  plan: ReadPlan
}

export interface Eligibility {
  compiler: number
  /** Null when it can be materialized. */
  reason: string | null
}
