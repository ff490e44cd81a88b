// Compiles the writing and the reading query of a version's rows.
import type { CompiledText, PreparedText, TextFacts } from '../compile/compile-text'
import { runnable } from '../compile/compiled-version'
import type { StoredTable } from '../../hogql/resolve/resolve'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import type { EndpointQuery } from '../query/query-types'
import type { Preview } from './analysis/preview-texts'
import type { BucketOverrides } from './analysis/analysis-types'
import type { ReadPlan } from './stored-plan'

export interface RowTexts extends Pick<MaterializationPlan, 'required' | 'inlineWhenEmpty'> {
  /** Writes the rows. */
  writing: PreparedText
  reading(stored: StoredTable): Promise<PreparedText>
  /** Table name in the reading text. */
  table: string
  /** Names of the indexed columns. */
  indexed: readonly string[]
}

export const tableOf = ({ name, version }: Pick<Materializable, 'name' | 'version'>) => `${name}_v${version}`

/** @throws 400 for what does not compile, or cannot run on the engine with the events */
export async function planRows(
  { dialect }: Pick<MaterializationContext, 'dialect'>,
  facts: TextFacts,
  { writing, reading, table, indexed, required, inlineWhenEmpty }: RowTexts,
): Promise<MaterializationPlan> {
  const { storedColumns, queries } = writing.compile(facts)
  const read = await reading({ name: table, columns: storedColumns })
  return {
    write: runnable(queries, dialect),
    read: runnable(read.compile(facts).queries, 'sqlite'),
    columns: storedColumns.map(({ name, type }) => ({ name, type })),
    indexed: indexed.map((name) => indexOf(storedColumns, name)),
    required,
    inlineWhenEmpty,
  }
}

/** A variable may have the name of its column: the column is then stored twice, and the first one is read. */
function indexOf(storedColumns: CompiledText['storedColumns'], column: string): number {
  const index = storedColumns.findIndex(({ name }) => name === column)
  if (index < 0) throw new Error(`no column to index is called ${column}`)
  return index
}

export interface MaterializationPlan extends Pick<ReadPlan, 'read' | 'required' | 'inlineWhenEmpty'> {
  /** Writes the rows: the query's columns, then one per variable. */
  write: CompiledQuery
  columns: { name: string; type: Type }[]
  /** Indexes of the columns to index, equality first. */
  indexed: number[]
}

export type Planned = { reason: string } | { reason: null; plan: MaterializationPlan; preview: Preview }

/** A version, as far as its rows depend on it. */
export interface Materializable {
  query: EndpointQuery
  /** Of the endpoint. */
  name: string
  version: number
  bucketOverrides: BucketOverrides
  optionalBreakdownProperties: readonly string[]
}

export interface MaterializationContext {
  deps: Pick<Deps, 'db'>
  project: Pick<Project, 'id' | 'timezone'>
  /** Of the engine with the events. */
  dialect: Dialect
  /** If already read. */
  facts?: TextFacts
}
