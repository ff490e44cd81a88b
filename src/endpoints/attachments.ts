// Rows that hang on an endpoint: each function gives the statements for the batch that writes the endpoint.
import { eq, sql } from 'drizzle-orm'
import { endpointTags } from '../../drizzle'
import type { Database } from '../storage/database'

/** The statements that replace the tags of an endpoint. */
export const replaceTags = (
  db: Database,
  projectId: number,
  endpointId: string,
  names: readonly string[],
) => [
  db.delete(endpointTags).where(eq(endpointTags.endpointId, endpointId)),
  ...(names.length > 0
    ? [
        db
          .insert(endpointTags)
          .select(sql`SELECT ${endpointId}, ${projectId}, value FROM json_each(${JSON.stringify(names)})`),
      ]
    : []),
]
