// What a run of events wrote, as rows for ClickHouse: everything as it is after the write. Pure.
import { stored } from '../../timestamps'
import { withGroupIndexes } from '../capture/group-changes'
import type { StoredPerson } from '../capture/person-draft'
import type { CaptureWrite } from '../capture/write'
import { distinctIdRow, eventRow, groupRow, memberRow, personRow } from './rows'
import type { WarehouseRow, WarehouseRows } from './message'
import type { Moves } from './moves'

export interface Captured {
  projectId: number
  now: Date
  /** Who was stored before, by distinct id. */
  people: ReadonlyMap<string, StoredPerson>
  moves: Moves
}

/**
 * The rows that make ClickHouse's tables say what the database says now. A later write of the same row has a higher version: persons and
 * groups count theirs, distinct ids and cohorts go by the database's clock.
 */
export function capturedRows(
  { events, persons, groups }: Pick<CaptureWrite, 'events' | 'persons' | 'groups'>,
  { projectId, now, people, moves }: Captured,
): WarehouseRows {
  const known = [...people.values()]
  const byUuid = new Map(known.map((person) => [person.uuid, person]))
  const byId = new Map(known.map((person) => [person.id, person]))
  return {
    events: events.map((event) =>
      eventRow(projectId, {
        ...event,
        properties: JSON.stringify(withGroupIndexes(event, groups.typeIndexes)),
        createdAt: stored(now),
      }),
    ),
    persons: [
      ...persons.rows.map((row) =>
        personRow(projectId, {
          ...row,
          properties: JSON.stringify(row.properties),
          version: nextVersion(byUuid.get(row.uuid)?.version),
          isDeleted: false,
        }),
      ),
      ...persons.merges.flatMap(({ personId }) => goneWith(projectId, byId.get(personId))),
    ],
    person_distinct_ids: [
      ...moves.distinctIds.map(({ distinctId, intoUuid }) =>
        distinctIdRow(projectId, distinctId, intoUuid, moves.at),
      ),
      ...persons.newDistinctIds.map(({ distinctId, personUuid }) =>
        distinctIdRow(projectId, distinctId, personUuid, moves.at),
      ),
    ],
    groups: groups.rows.map((row) =>
      groupRow(projectId, {
        ...row,
        properties: JSON.stringify(row.properties),
        version: nextVersion(row.expectedVersion),
      }),
    ),
    cohort_people: moves.cohorts.flatMap(({ cohortId, personId, intoUuid }) => {
      const merged = byId.get(personId)
      const cohort = { projectId, cohortId }
      return [
        memberRow(cohort, intoUuid, moves.at),
        ...(merged ? [memberRow(cohort, merged.uuid, moves.at, true)] : []),
      ]
    }),
  }
}

/** What a row's version is after it was written. */
const nextVersion = (version: number | null | undefined): number =>
  typeof version === 'number' ? version + 1 : 0

/** The row that takes a person away who became part of another. */
const goneWith = (projectId: number, person: StoredPerson | undefined): WarehouseRow[] =>
  person
    ? [
        personRow(projectId, {
          ...person,
          properties: '{}',
          version: nextVersion(person.version),
          isDeleted: true,
        }),
      ]
    : []
