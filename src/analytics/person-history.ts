// A person's properties at a past moment, rebuilt from the events that set them (reference/flags-evaluation.md §9.1).
import { sql } from 'drizzle-orm'
import { events } from '../../drizzle'
import type { JsonObject } from '../json'
import type { Database } from '../storage/database'
import { applyChanges, changesIn, type PropertyChanges } from './capture/property-changes'

export interface Moment {
  /** All distinct ids of the person. */
  distinctIds: readonly string[]
  /** The moment that is asked for, in the stored form; what happened at this very moment counts. */
  at: string
}

/**
 * The properties that a person had at a moment, as their events tell it. Stored properties play no part. One round trip.
 *
 * The service upstream looks back to the creation of the flag and 730 days at most, and at `$set_once` in events of that name alone.
 * The specification wants properties "as they were at that time", so here every event counts that ingestion counted: what is read
 * grows with the events that set properties of this person, and with nothing else.
 */
export async function propertiesAt(db: Database, projectId: number, moment: Moment): Promise<JsonObject> {
  return mergeHistory((await selectHistory(db, projectId, moment)).map(changesOf))
}

/** The statement behind `propertiesAt`, for a batch: its rows go through `changesOf` to `mergeHistory`. */
export const selectHistory = (db: Database, projectId: number, { distinctIds, at }: Moment) =>
  db
    .select({
      // As text, whole where it does not parse: that is for `changesOf` to find out.
      changes: sql<string>`CASE WHEN json_valid(e.properties) THEN json_object(
        '$set', json_extract(e.properties, '$."$set"'),
        '$set_once', json_extract(e.properties, '$."$set_once"'),
        '$unset', json_extract(e.properties, '$."$unset"')) ELSE e.properties END`.as('changes'),
    })
    // From the few ids to their events: left to itself, SQLite walks all events by time to be spared the sorting.
    .from(
      sql`json_each(${JSON.stringify(distinctIds)}) wanted
        CROSS JOIN ${events} e INDEXED BY events_person ON e.project_id = ${projectId}
          AND e.distinct_id = wanted.value AND e.sets_properties = 1
          AND e.timestamp <= ${at}`,
    )
    // Of one moment, in the order of arrival.
    .orderBy(sql`e.timestamp`, sql`e.rowid`)

/** What a row of the history asks for. @throws SyntaxError when it does not parse. */
export const changesOf = ({ changes }: { changes: string }): PropertyChanges =>
  changesIn(JSON.parse(changes) as JsonObject)

/** Merges changes in time order: a later `$set` wins, `$set_once` counts where nothing is yet, and `$unset` takes away. Pure. */
export const mergeHistory = (history: readonly PropertyChanges[]): JsonObject =>
  history.reduce<JsonObject>(applyChanges, {})
