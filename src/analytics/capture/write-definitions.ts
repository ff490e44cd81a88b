// The statement that stores property definitions: those that are missing, as far as there is room.
import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { propertyDefinitions } from '../../../drizzle'
import type { Database } from '../../storage/database'
import type { PropertyDefinition } from '../property-type'
import { jsonParameters } from './json-parameters'
import { MAX_DEFINITIONS } from './known-properties'

/**
 * Statements for the batch that writes the events. A definition that is there stays as it is. What is there is left out before the
 * limit is applied, or it would take the room of what is missing.
 */
export const insertDefinitions = (
  db: Database,
  projectId: number,
  definitions: readonly PropertyDefinition[],
): BatchItem<'sqlite'>[] =>
  jsonParameters(definitions).map((json) =>
    db
      .insert(propertyDefinitions)
      .select(
        sql`SELECT ${projectId}, value ->> '$.owner', value ->> '$.name', value ->> '$.type'
          FROM json_each(${json})
          WHERE NOT EXISTS (SELECT 1 FROM property_definitions p WHERE p.project_id = ${projectId}
            AND p.owner = (value ->> '$.owner') AND p.name = (value ->> '$.name'))
          LIMIT max(0, ${MAX_DEFINITIONS} - coalesce((SELECT sum(total) FROM property_definition_counts WHERE project_id = ${projectId}), 0))`,
      )
      .onConflictDoNothing(),
  )
