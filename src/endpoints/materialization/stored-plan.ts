// Stored plans: how materialized rows are read, and how they are written.
import type { CompiledQuery } from '../../hogql/compiled'

export interface ReadPlan {
  /** The version of the compiler that made the plan. Plans of other versions are not used. */
  compiler: number
  /** The time zone that the plan was compiled for. */
  timezone: string
  /** Variables that a run requires. */
  required: string[]
  /** Whether to run the query itself when no row matches. */
  inlineWhenEmpty: boolean
  /** SQL for D1, in which STORED_TABLE stands for the name of the table. */
  read: CompiledQuery
}

/** The plan of a build in progress: everything that another consumer needs to finish it. */
export interface WritePlan {
  /** The revision of the version's settings. */
  revision: number
  /** The time of all rows, however long the build takes. */
  startedAt: string
  write: CompiledQuery
  /** The number of columns. */
  columns: number
  /** Indexes of the columns that get an index. */
  indexed: number[]
  plan: ReadPlan
}

export interface Eligibility {
  compiler: number
  /** Why the query cannot be materialized. It is null when it can. */
  reason: string | null
}
