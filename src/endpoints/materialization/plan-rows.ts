// From the text whose rows are kept to the plan: compiled for the engine that has the events, with what reads the rows from where they are.
import type { CompiledText, PreparedText, TextWorld } from '../compile-text'
import { runnable } from '../compiled-version'
import type { StoredTable } from '../../hogql/resolve/resolve'
import type { Materializable, MaterializationPlan, Place } from './plan-shape'

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
