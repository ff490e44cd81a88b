// Follows references of past flags and cohorts. A row has to be read before its references are known.

/** Maximum rows that may be reachable. */
export const MAX_REACHABLE = 50
/** Maximum rounds. Each reads all rows that are known to be needed; one is enough while references are as they are now. */
export const MAX_ROUNDS = 5

/**
 * @param roots ids to start from
 * @param current ids that are read in the first round, because they are most likely needed
 * @param read returns null for a row that did not exist
 * @param referencesOf returns the ids to which a row refers
 * @throws what `tooMany` returns when the limits are exceeded
 */
export async function readReachable<T>(
  roots: readonly number[],
  current: readonly number[],
  read: (ids: readonly number[]) => Promise<Iterable<readonly [number, T | null]>>,
  referencesOf: (row: T) => readonly number[],
  tooMany: () => Error,
): Promise<Map<number, T>> {
  const known = new Map<number, T | null>()
  const reached = new Map<number, T>()
  const seen = new Set<number>()
  let likely = current
  let open = roots
  for (let round = 0; open.length > 0;) {
    const unread = [...new Set(open)].filter((id) => !known.has(id))
    if (unread.length > 0) {
      round += 1
      if (round > MAX_ROUNDS || known.size + unread.length > MAX_REACHABLE) throw tooMany()
      const ids = [...new Set([...unread, ...likely])].filter((id) => !known.has(id))
      likely = []
      for (const [id, row] of await read(ids)) known.set(id, row)
    }
    const found: T[] = []
    for (const id of open) {
      const row = seen.has(id) ? null : known.get(id)
      seen.add(id)
      if (row) {
        reached.set(id, row)
        found.push(row)
      }
    }
    open = found.flatMap(referencesOf).filter((id) => !seen.has(id))
  }
  return reached
}
