// A query on its way to being stored: by its kind to what it has to be told of the project, and what becomes of it then.
import { draftHogql } from './hogql-draft'
import { draftInsight } from './insight-draft'
import { type Draft, NO_NEEDS } from './query-draft'
import type { EndpointQuery } from './query/shape'

/**
 * Reads the `query` of a body. What is wrong inside the query is told by `finish`, when it is its turn.
 * @param timezone of the project: what moments in the text mean.
 * @param now when it came.
 * @throws 400 `parse_error` for anything that is no query; 400, attr `query`, for a kind that is not run here.
 */
export async function draftQuery(sent: Record<string, unknown>, timezone: string, now: Date): Promise<Draft> {
  // The shapes of all kinds are many: they are made when the first query is written, not when an isolate starts.
  const { parseQuery } = await import('./query/parse')
  return draftOf(parseQuery(sent), timezone, now)
}

/** A query that is stored already, to be compiled again: its variables are as they are, whatever became of the project's. */
export const draftStored = (query: EndpointQuery, timezone: string): Promise<Draft> =>
  draftOf(query, timezone, null)

async function draftOf(query: EndpointQuery, timezone: string, sentAt: Date | null): Promise<Draft> {
  try {
    switch (query.kind) {
      case 'HogQLQuery':
        return await draftHogql(query, timezone, sentAt ? 'sent' : 'stored')
      case 'TrendsQuery':
      case 'LifecycleQuery':
      case 'RetentionQuery':
      case 'FunnelsQuery':
        return await draftInsight(query, timezone, sentAt)
    }
  } catch (error) {
    return {
      needs: NO_NEEDS,
      finish() {
        throw error
      },
    }
  }
}
