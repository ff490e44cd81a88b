// What a case of the catalogue is. What is expected is what the ClickHouse engine gave; both engines have to give it.

/** An expression, its value as the API shows it, and the project's time zone where it is not UTC. */
export type CallCase = readonly [expression: string, value: unknown, timezone?: string]

/** A query of its own, for functions that take rows. */
export interface QueryCase {
  sql: string
  rows: readonly (readonly unknown[])[]
}
