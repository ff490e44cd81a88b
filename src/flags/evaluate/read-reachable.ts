// Follows references of past flags and cohorts. A row has to be read before its references are known.
import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from '../../storage/database'
import { runBatch } from '../../storage/run-batch'
import { failure, readStore } from './evaluation-errors'

/** Maximum rows that may be reachable. */
export const MAX_REACHABLE = 50
/** Maximum rounds. Each reads all rows that are known to be needed; one is enough while references are as they are now. */
export const MAX_ROUNDS = 5

/** Flags or cohorts, and how their past states are read from their activity logs. */
interface PastRows<Row extends { id: number }, Entry, State> {
  rowsOf(ids: readonly number[]): Statement<Row>
  /** @param share how many logs are read together: each gets an equal part of the limits */
  logOf(id: number, share: number): Statement<Entry>
  /** Returns null for a row that did not exist. */
  stateAt(row: Row, log: Entry[]): State | null
  /** Returns the ids to which a row refers. */
  referencesOf(state: State): readonly number[]
  /** The text of the 500 for a stored document that is not JSON. */
  malformed: string
  /** The text of the 400 when the limits are exceeded. */
  tooMany: string
}

type Statement<Row> = BatchItem<'sqlite'> & Promise<Row[]>

/**
 * @param roots ids to start from
 * @param current ids that are read in the first round, because they are most likely needed
 */
export async function readReachable<Row extends { id: number }, Entry, State>(
  db: Database,
  roots: readonly number[],
  current: readonly number[],
  { rowsOf, logOf, stateAt, referencesOf, malformed, tooMany }: PastRows<Row, Entry, State>,
): Promise<State[]> {
  const known = new Map<number, State | null>()
  const reached: State[] = []
  const seen = new Set<number>()
  let likely = current
  let open = roots
  for (let round = 0; open.length > 0;) {
    const unread = [...new Set(open)].filter((id) => !known.has(id))
    if (unread.length > 0) {
      round += 1
      if (round > MAX_ROUNDS || known.size + unread.length > MAX_REACHABLE) throw failure(400, tooMany)
      const ids = [...new Set([...unread, ...likely])].filter((id) => !known.has(id))
      likely = []
      const read = () => runBatch(db, [rowsOf(ids), ...ids.map((id) => logOf(id, ids.length))])
      const [rows, ...logs] = (await readStore(read, { malformed })) as [Row[], ...Entry[][]]
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const [index, id] of ids.entries()) {
        const row = byId.get(id)
        known.set(id, row ? stateAt(row, logs[index]!) : null)
      }
    }
    const found: State[] = []
    for (const id of open) {
      const state = seen.has(id) ? null : known.get(id)
      seen.add(id)
      if (state) found.push(state)
    }
    reached.push(...found)
    open = found.flatMap(referencesOf).filter((id) => !seen.has(id))
  }
  return reached
}
