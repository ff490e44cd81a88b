// The message that a receiver gets about one entry of the activity log.
import { readEntry } from '../activity/list'
import type { Database } from '../storage/database'
import { toApiTimestamp, toStoredTimestamp } from '../timestamps'

/** Returns the id of a message, which is the same for every attempt, and for every webhook that gets the entry. */
export const messageId = (entryId: string): string => `msg_${entryId}`

/** Returns the body about an entry, or null when the entry was deleted. */
export async function messageOf(
  db: Database,
  projectId: number,
  { entryId, event }: { entryId: string; event: string },
): Promise<string | null> {
  const entry = await readEntry(db, projectId, entryId)
  return (
    entry && JSON.stringify({ type: event, timestamp: entry.created_at, project_id: projectId, data: entry })
  )
}

/** Returns the body of a test, whose type the activity log does not have. */
export const testMessage = (projectId: number, now: Date): string =>
  JSON.stringify({
    type: 'test',
    timestamp: toApiTimestamp(toStoredTimestamp(now)),
    project_id: projectId,
    data: { message: 'This is a test. Nothing has changed.' },
  })
