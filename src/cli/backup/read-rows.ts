// Reading rows of a backup, to check what refers to something outside it.
import { readLines } from './files'
import type { BackedUpTable } from './manifest'
import type { Value } from './rows'

/** The rows of a table, by column. */
export async function* readRows(
  folder: string,
  { columns, parts }: BackedUpTable,
): AsyncGenerator<Record<string, Value>> {
  for (const part of parts) {
    for await (const line of readLines(folder, part)) {
      const values = JSON.parse(line) as Value[]
      yield Object.fromEntries(columns.map((column, place) => [column, values[place]!]))
    }
  }
}
