// The message that a receiver gets about one entry of the activity log.
import { readEntry } from '../activity/list'
import type { Database } from '../storage/database'
import { toApiTimestamp, toStoredTimestamp } from '../timestamps'

/** The same for every attempt, and for every webhook that gets the entry. */
export const messageId = (entryId: string): string => `msg_${entryId}`

/** The body about an entry, or null when it has been deleted since. */
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

/** The body of a test: its type is none of the activity log. */
export const testMessage = (projectId: number, now: Date): string =>
  JSON.stringify({
    type: 'test',
    timestamp: toApiTimestamp(toStoredTimestamp(now)),
    project_id: projectId,
    data: { message: 'This is a test. Nothing has changed.' },
  })
