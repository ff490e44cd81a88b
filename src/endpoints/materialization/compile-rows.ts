// Compiles the writing and the reading query of a version's rows.
import type { CompiledText, PreparedText, TextFacts } from '../compile/compile-text'
import { requireRunnable } from '../compile/compiled-version'
import type { StoredTable } from '../../hogql/resolve/resolve'
import { ApiError } from '../../errors'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import type { EndpointQuery } from '../query/query-types'
import type { Preview } from './analysis/preview-texts'
import type { BucketOverrides } from './analysis/lift-variables'
import { reject } from './analysis/reasons'
import type { CompiledRead } from './compiled-read'

export interface RowTexts extends Pick<CompiledRows, 'required' | 'inlineWhenEmpty'> {
  /** The query that writes the rows. */
  writing: PreparedText
  reading(stored: StoredTable): Promise<PreparedText>
  /** The name of the table in the reading text. */
  table: string
  /** Names of the columns that get an index. */
  indexed: readonly string[]
}

export const tableOf = ({ name, version }: Pick<Materializable, 'name' | 'version'>) => `${name}_v${version}`

/** @throws Rejection for a query that does not compile, or cannot run on the engine with the events */
export async function compileRows(
  { dialect }: Pick<MaterializationContext, 'dialect'>,
  facts: TextFacts,
  { writing, reading, table, indexed, required, inlineWhenEmpty }: RowTexts,
): Promise<CompiledRows> {
  const { storedColumns, write } = await compiled('writes', () => {
    const text = writing.compile(facts)
    return { storedColumns: text.storedColumns, write: requireRunnable(text.queries, dialect, null) }
  })
  const read = await compiled('reads', async () => {
    const text = await reading({ name: table, columns: storedColumns })
    return requireRunnable(text.compile(facts).queries, 'sqlite', null)
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

/** Compiles one of the queries. The caller did not write them, so that an error says which of them it is about. */
async function compiled<T>(purpose: 'writes' | 'reads', compile: () => T | Promise<T>): Promise<T> {
  try {
    return await compile()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return reject('notCompiled', { purpose, error: error.detail.replace(/^Invalid HogQL query: /, '') })
  }
}

/** Finds a column. A variable may have the name of its column, which is then stored twice; the first one is read. */
function indexOf(storedColumns: CompiledText['storedColumns'], column: string): number {
  const index = storedColumns.findIndex(({ name }) => name === column)
  if (index < 0) throw new Error(`no column to index is called ${column}`)
  return index
}

export interface CompiledRows extends Pick<CompiledRead, 'read' | 'required' | 'inlineWhenEmpty'> {
  /** The query that writes the rows. Its columns are those of the version's query, then one per variable. */
  write: CompiledQuery
  columns: { name: string; type: Type }[]
  /** Indexes of the columns that get an index, equality columns first. */
  indexed: number[]
}

export type CompiledMaterialization =
  | { reason: string }
  | { reason: null; rows: CompiledRows; preview: Preview }

/** The parts of a version that determine its rows. */
export interface Materializable {
  query: EndpointQuery
  /** The name of the endpoint. */
  name: string
  version: number
  bucketOverrides: BucketOverrides
  optionalBreakdownProperties: readonly string[]
}

export interface MaterializationContext {
  deps: Pick<Deps, 'db'>
  project: Pick<Project, 'id' | 'timezone'>
  /** The dialect of the engine that has the events. */
  dialect: Dialect
  /** Facts of the project, if they are already read. */
  facts?: TextFacts
}
