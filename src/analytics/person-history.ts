// A person's properties at a past moment, rebuilt from the events that set them (reference/flags-evaluation.md §9.1).
import { sql } from 'drizzle-orm'
import { events } from '../../drizzle'
import type { JsonObject } from '../flags/evaluation/values/json'
import type { Database } from '../storage/database'
import { stored } from '../timestamps'
import { applyChanges, changesIn } from './capture/property-changes'

const WINDOW_MS = 730 * 24 * 3_600_000

export interface Moment {
  /** All distinct ids of the person. */
  distinctIds: readonly string[]
  /** The moment that is asked for, in the stored form; what happened at this very moment counts. */
  at: string
  /** Events before this moment are not looked at: when the flag was created, in the stored form. */
  flagCreatedAt: string
}

/** An event that sets properties: its name, and its `$set`, `$set_once` and `$unset`. */
export interface SettingEvent {
  event: string
  changes: JsonObject
}

/**
 * The properties that a person had at a moment, as far as events from the flag's creation on, and at most 730 days back, tell. Stored
 * properties play no part. One round trip.
 */
export async function propertiesAt(db: Database, projectId: number, moment: Moment): Promise<JsonObject> {
  return mergeHistory((await selectHistory(db, projectId, moment)).map(settingEventIn))
}

/** The statement behind `propertiesAt`, for a batch: its rows go through `settingEventIn` to `mergeHistory`. */
export const selectHistory = (
  db: Database,
  projectId: number,
  { distinctIds, at, flagCreatedAt }: Moment,
) => {
  const windowStart = stored(new Date(Date.parse(at) - WINDOW_MS))
  const since = flagCreatedAt > windowStart ? flagCreatedAt : windowStart
  return (
    db
      .select({
        event: sql<string>`e.event`.as('event'),
        changes: sql<string>`json_object('$set', json_extract(e.properties, '$."$set"'),
          '$set_once', json_extract(e.properties, '$."$set_once"'),
          '$unset', json_extract(e.properties, '$."$unset"'))`.as('changes'),
      })
      // From the few ids to their events: left to itself, SQLite walks all events by time to be spared the sorting.
      .from(
        sql`json_each(${JSON.stringify(distinctIds)}) wanted
          CROSS JOIN ${events} e INDEXED BY events_person ON e.project_id = ${projectId}
            AND e.distinct_id = wanted.value AND e.sets_properties = 1
            AND e.timestamp >= ${since} AND e.timestamp <= ${at}`,
      )
      // Of one moment, in the order of arrival.
      .orderBy(sql`e.timestamp`, sql`e.rowid`)
  )
}

export const settingEventIn = ({ event, changes }: { event: string; changes: string }): SettingEvent => ({
  event,
  changes: JSON.parse(changes) as JsonObject,
})

/**
 * Merges events in time order: a later `$set` wins, `$set_once` counts only where nothing is yet and only in dedicated `$set_once`
 * events, and `$unset` takes away. Pure.
 */
export const mergeHistory = (history: readonly SettingEvent[]): JsonObject =>
  history.reduce<JsonObject>((properties, { event, changes: sent }) => {
    const changes = changesIn(sent)
    return applyChanges(properties, event === '$set_once' ? changes : { ...changes, setOnce: {} })
  }, {})
