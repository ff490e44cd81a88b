// Rows of captured events for an analytics store, and copies of changed persons and groups.
import type { GroupName } from '../../outbox/task'
import { jsonBytes } from '../../json-bytes'
import { toStoredTimestamp } from '../../timestamps'
import { type EventRow, type IngestionRows, tombstone } from '../../outbox/ingestion-rows'
import { type GroupChanges, withGroupIndexes } from '../capture/group-changes'
import type { CapturedEvent } from '../capture/parse-event'
import type { PersonChanges, StoredPerson } from '../capture/person-changes'
import type { Written } from '../capture/write'

const MAX_NAMES_BYTES = 15_000

/**
 * Returns the properties for the person's history. They are all that the event sets or unsets, even without effect, because an earlier
 * event may still arrive or a merge follow; of `$set_once` and of copied properties, only those with effect. Returns undefined when an
 * earlier request applied the event, or when names are too long. History then reads the event itself.
 */
function changedBy(event: CapturedEvent, names: readonly string[] | undefined) {
  if (!names || !event.person) return undefined
  const { set, unset } = event.person.changes
  const changed = [...new Set([...names, ...Object.keys(set), ...unset])]
  return jsonBytes(changed) > MAX_NAMES_BYTES ? undefined : changed
}

/** @param changedNames properties that the event changed, if it was applied */
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
  createdAt: toStoredTimestamp(now),
  setsProperties: event.setsProperties,
  changed: changedBy(event, changedNames),
  flagKey: event.flag?.key ?? null,
  flagResponse: event.flag?.response ?? null,
  properties: withGroupIndexes(event, typeIndexes),
})

/** Keeps the first event of each uuid. */
export function uniqueByUuid<Event extends { uuid: string }>(events: readonly Event[]): Event[] {
  const seen = new Set<string>()
  return events.filter(({ uuid }) => !seen.has(uuid) && seen.add(uuid))
}

/**
 * Maximum bytes of an event in a message. The message has space for the rest of the row: MAX_NAMES_BYTES, the keys of five groups and a
 * flag's key and response, each of 400 characters that take up to six bytes as JSON.
 */
const MAX_QUEUED_EVENT_BYTES = 64_000

export const isLarge = ({ bytes }: CapturedEvent): boolean => bytes > MAX_QUEUED_EVENT_BYTES

interface Changes {
  persons: PersonChanges
  groups: GroupChanges
}

/** Names the changed persons and groups. Merged persons become tombstones. */
export const changedPeople = (
  { persons, groups }: Changes,
  people: ReadonlyMap<string, StoredPerson>,
): { persons: string[]; groups: GroupName[] } => ({
  persons: [...persons.rows.map(({ uuid }) => uuid), ...mergedUuids(persons, people).values()],
  groups: groups.rows.map(({ typeIndex, key }) => ({ typeIndex, key })),
})

/** Returns uuids by the id of the merged person. */
function mergedUuids({ merges }: PersonChanges, people: ReadonlyMap<string, StoredPerson>) {
  const byId = new Map([...people.values()].map(({ id, uuid }) => [id, uuid]))
  return new Map(merges.map(({ personId }) => [personId, byId.get(personId)!]))
}

/** Returns copies with the versions of the write. */
export function peopleCopies(
  { persons, groups }: Changes,
  people: ReadonlyMap<string, StoredPerson>,
  { version, moves }: Written,
): Omit<IngestionRows, 'events'> {
  const merged = mergedUuids(persons, people)
  return {
    persons: [
      ...persons.rows.map((row) => ({ ...row, version, isDeleted: false })),
      ...[...merged.values()].map((uuid) => tombstone(uuid, version)),
    ],
    distinctIds: [
      ...persons.newDistinctIds.map((row) => ({ ...row, version })),
      ...moves.flatMap(({ distinctId, intoUuid }) =>
        distinctId === null ? [] : { distinctId, personUuid: intoUuid, version },
      ),
    ],
    groups: groups.rows.map(({ expectedVersion: _expectedVersion, ...row }) => ({ ...row, version })),
    cohortPeople: moves.flatMap(({ cohortId, personId, intoUuid }) =>
      cohortId === null
        ? []
        : [
            { cohortId, personUuid: intoUuid, version, isDeleted: false },
            { cohortId, personUuid: merged.get(personId)!, version, isDeleted: true },
          ],
    ),
  }
}
