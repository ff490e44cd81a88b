// From the text whose rows are kept to the plan: compiled for the engine that has the events, with what reads the rows from where they are.
import type { CompiledText, PreparedText, TextWorld } from '../compile/compile-text'
import { runnable } from '../compile/compiled-version'
import type { StoredTable } from '../../hogql/resolve/resolve'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import type { EndpointQuery } from '../query/query-types'
import type { Preview } from './analysis/preview-texts'
import type { BucketOverrides } from './analysis/analysis-types'

export interface KeptText extends Pick<MaterializationPlan, 'required' | 'inlineWhenEmpty'> {
  /** Gives the rows to keep. */
  writing: PreparedText
  /** Reads them from the table. */
  reading(stored: StoredTable): Promise<PreparedText>
  /** What the texts that read them call the table. */
  table: string
  /** Names of the columns to index. */
  indexed: readonly string[]
}

/** What the kept rows of a version are called in the texts that read them. */
export const tableOf = ({ name, version }: Pick<Materializable, 'name' | 'version'>) => `${name}_v${version}`

/** @throws 400 for what does not compile, or cannot be run by the engine that has the events. */
export async function planRows(
  { dialect }: Pick<Place, 'dialect'>,
  world: TextWorld,
  { writing, reading, table, indexed, required, inlineWhenEmpty }: KeptText,
): Promise<MaterializationPlan> {
  const { kept, queries } = writing.compile(world)
  const read = await reading({ name: table, columns: kept })
  return {
    write: runnable(queries, dialect),
    read: runnable(read.compile(world).queries, 'sqlite'),
    columns: kept.map(({ name, type }) => ({ name, type })),
    indexed: indexed.map((name) => placeOf(kept, name)),
    required,
    inlineWhenEmpty,
  }
}

/** The place of a column. Where a variable is called what its column is, the column is kept twice, and the first one is read. */
function placeOf(kept: CompiledText['kept'], wanted: string): number {
  const place = kept.findIndex(({ name }) => name === wanted)
  if (place < 0) throw new Error(`no column to index is called ${wanted}`)
  return place
}

export interface MaterializationPlan {
  /** Gives the rows to keep: the query's own columns, and behind them one for each variable. */
  write: CompiledQuery
  /** Reads them from the table that stands in it as `STORED_TABLE` of `hogql/sqlite/stored-table.ts`. */
  read: CompiledQuery
  /** Of the kept table, by place. */
  columns: { name: string; type: Type }[]
  /** Places of the columns to index, those that are compared by equality first. */
  indexed: number[]
  /** What a run has to give a value for. */
  required: string[]
  /** Whether the query itself has to be run where no row is kept for the values of a run. */
  inlineWhenEmpty: boolean
}

export type Planned = { reason: string } | { reason: null; plan: MaterializationPlan; preview: Preview }

/** A version, as far as what is kept of it depends on it. */
export interface Materializable {
  query: EndpointQuery
  /** Of the endpoint. */
  name: string
  version: number
  bucketOverrides: BucketOverrides
  optionalBreakdownProperties: readonly string[]
}

/** Where and for what a plan is made. */
export interface Place {
  deps: Pick<Deps, 'db'>
  project: Pick<Project, 'id' | 'timezone'>
  /** Of the engine that has the events. */
  dialect: Dialect
  /** What the query has to know of the project, where that was read already. */
  world?: TextWorld
}
