// Compiles the writing and the reading query of a version's rows.
import type { CompiledText, PreparedText, TextFacts } from '../compile/compile-text'
import { runnable } from '../compile/compiled-version'
import type { StoredTable } from '../../hogql/resolve/resolve'
import { ApiError } from '../../errors'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import type { EndpointQuery } from '../query/query-types'
import type { Preview } from './analysis/preview-texts'
import type { BucketOverrides } from './analysis/analysis-types'
import { reject } from './analysis/reasons'
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

/** @throws Rejection for a query that does not compile, or cannot run on the engine with the events */
export async function planRows(
  { dialect }: Pick<MaterializationContext, 'dialect'>,
  facts: TextFacts,
  { writing, reading, table, indexed, required, inlineWhenEmpty }: RowTexts,
): Promise<MaterializationPlan> {
  const { storedColumns, write } = await compiled('writes', () => {
    const text = writing.compile(facts)
    return { storedColumns: text.storedColumns, write: runnable(text.queries, dialect) }
  })
  const read = await compiled('reads', async () => {
    const text = await reading({ name: table, columns: storedColumns })
    return runnable(text.compile(facts).queries, 'sqlite')
  })
  return {
    write,
    read,
    columns: storedColumns.map(({ name, type }) => ({ name, type })),
    indexed: indexed.map((name) => indexOf(storedColumns, name)),
    required,
    inlineWhenEmpty,
  }
}

/** The caller did not write these queries: an error names the one that it is about. */
async function compiled<T>(purpose: 'writes' | 'reads', compile: () => T | Promise<T>): Promise<T> {
  try {
    return await compile()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return reject('notCompiled', { purpose, error: error.detail.replace(/^Invalid HogQL query: /, '') })
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
  /** Name of the endpoint. */
  name: string
  version: number
  bucketOverrides: BucketOverrides
  optionalBreakdownProperties: readonly string[]
}

export interface MaterializationContext {
  deps: Pick<Deps, 'db'>
  project: Pick<Project, 'id' | 'timezone'>
  /** Dialect of the engine with the events. */
  dialect: Dialect
  /** If already read. */
  facts?: TextFacts
}
