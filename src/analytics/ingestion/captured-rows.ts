// What a run of events becomes in an analytics store: event rows, and copies of the persons and groups that it changed. Pure.
import type { GroupName } from '../../outbox/task'
import { jsonBytes } from '../../json'
import { stored } from '../../timestamps'
import type { EventRow, IngestionRows } from '../../outbox/ingestion-rows'
import { type GroupChanges, withGroupIndexes } from '../capture/group-changes'
import type { CapturedEvent } from '../capture/parse-event'
import type { PersonChanges, StoredPerson } from '../capture/person-changes'
import type { Written } from '../capture/write'

/** Bytes of names that travel with an event. */
const MAX_NAMES_BYTES = 15_000

/**
 * The properties that the history of a person gets from an event: those that it sets or unsets, also where that changed nothing, because another
 * event may come before it in time, or another person be merged. Of `$set_once` those that it changed. Undefined when that is not known, because
 * the event was applied by an earlier request, or when the names are too long: then history reads the event itself.
 */
function changedBy(event: CapturedEvent, names: readonly string[] | undefined) {
  if (!names || !event.person) return undefined
  const { set, unset } = event.person.changes
  const changed = [...new Set([...names, ...Object.keys(set), ...unset])]
  return jsonBytes(changed) > MAX_NAMES_BYTES ? undefined : changed
}

/**
 * @param typeIndexes numbers of the project's group types.
 * @param changedNames properties that the event changed, if it was applied.
 */
export const eventRow = (
  event: CapturedEvent,
  typeIndexes: ReadonlyMap<string, number>,
  changedNames: readonly string[] | undefined,
  now: Date,
): EventRow => ({
  uuid: event.uuid,
  event: event.event,
  distinctId: event.distinctId,
  timestamp: event.timestamp,
  createdAt: stored(now),
  setsProperties: event.setsProperties,
  changed: changedBy(event, changedNames),
  flagKey: event.flag?.key ?? null,
  flagResponse: event.flag?.response ?? null,
  properties: withGroupIndexes(event, typeIndexes),
})

/** Bytes of an event that travels in a message of the queue, whose limit it keeps with what the row adds. */
const MAX_QUEUED_EVENT_BYTES = 80_000

/** Whether an event is too large for a message of the queue. */
export const isLarge = ({ bytes }: CapturedEvent): boolean => bytes > MAX_QUEUED_EVENT_BYTES

interface Changes {
  persons: PersonChanges
  groups: GroupChanges
}

/** The persons and groups whose copies a run changes, by name. Persons that were merged into another become tombstones. */
export const changedPeople = (
  { persons, groups }: Changes,
  people: ReadonlyMap<string, StoredPerson>,
): { persons: string[]; groups: GroupName[] } => ({
  persons: [
    ...persons.rows.map(({ uuid }) => uuid),
    ...uuidsOf(
      persons.merges.map(({ personId }) => personId),
      people,
    ),
  ],
  groups: groups.rows.map(({ typeIndex, key }) => ({ typeIndex, key })),
})

function uuidsOf(ids: readonly number[], people: ReadonlyMap<string, StoredPerson>): string[] {
  const byId = new Map([...people.values()].map(({ id, uuid }) => [id, uuid]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Copies as they are after the write. */
export function peopleCopies(
  { persons, groups }: Changes,
  people: ReadonlyMap<string, StoredPerson>,
  { version, moves }: Written,
): Omit<IngestionRows, 'events'> {
  const mergedIds = persons.merges.map(({ personId }) => personId)
  const merged = uuidsOf(mergedIds, people)
  const uuidOf = new Map(mergedIds.map((id, index) => [id, merged[index]!]))
  return {
    persons: [
      ...persons.rows.map((row) => ({ ...row, version, isDeleted: false })),
      ...merged.map((uuid) => ({
        uuid,
        isIdentified: false,
        createdAt: DELETED_AT,
        version,
        isDeleted: true,
        properties: {},
      })),
    ],
    distinctIds: [
      ...persons.newDistinctIds.map((row) => ({ ...row, version })),
      ...moves.flatMap(({ distinctId, intoUuid }) =>
        distinctId === null ? [] : { distinctId, personUuid: intoUuid, version },
      ),
    ],
    groups: groups.rows.map(({ typeIndex, key, properties, createdAt }) => ({
      typeIndex,
      key,
      properties,
      createdAt,
      version,
    })),
    cohortPeople: moves.flatMap(({ cohortId, personId, intoUuid }) =>
      cohortId === null
        ? []
        : [
            { cohortId, personUuid: intoUuid, version, isDeleted: false },
            { cohortId, personUuid: uuidOf.get(personId)!, version, isDeleted: true },
          ],
    ),
  }
}

/** `created_at` of a tombstone, which no query reads. */
const DELETED_AT = '1970-01-01T00:00:00.000000Z'
