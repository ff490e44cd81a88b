// What is stored about a materialization: how its rows are read, and whether a query can have some.
import type { CompiledQuery } from '../../hogql/compiled'

/** How runs read the stored rows. The column `plan` has it. */
export interface CompiledRead {
  /** The version of the compiler. What another version compiled is not used. */
  compiler: number
  /** The time zone that the query was compiled for. */
  timezone: string
  /** Variables that a run requires. */
  required: string[]
  /** Whether to run the query itself when no row matches. */
  inlineWhenEmpty: boolean
  /** SQL for D1, in which STORED_TABLE stands for the name of the table. */
  read: CompiledQuery
}

export interface Eligibility {
  compiler: number
  /** Why the query cannot be materialized. It is null when it can. */
  reason: string | null
}
