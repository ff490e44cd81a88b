// A query of the corpus. Expected rows are ClickHouse's, of SQL written by hand over the same data: both engines have to give them.
import type { StoredFilters } from '../../../src/hogql/resolve/context/filters'
import type { VariableType } from '../../../src/hogql/resolve/context/resolution'
import type { ColumnType } from '../../../src/hogql/types'

export interface CorpusQuery {
  /** Unique in the corpus. */
  name: string
  sql: string
  /** UTC, unless it is said. */
  timezone?: string
  variables?: Readonly<Record<string, { type: VariableType; value: unknown }>>
  filters?: StoredFilters
  /** D1 cannot run it, and the compiler says so. */
  clickhouseOnly?: boolean
  /** Whether the order of the rows is part of the result. */
  ordered?: boolean
  columns: readonly string[]
  types: readonly ColumnType[]
  /** As the API shows them. */
  rows: readonly (readonly unknown[])[]
}
