// Rows of ClickHouse's tables (clickhouse/tables.ts). Documents are JSON text, moments are in UTC without a letter for it.
import { bareMoment } from '../../hogql/clickhouse/convert'
import type { WarehouseRow } from './message'

/** The first moment that a DateTime64 can hold. What is said to be earlier is put there. */
const EARLIEST = '1900-01-01T00:00:00.000000Z'

const moment = (timestamp: string): string => bareMoment(timestamp < EARLIEST ? EARLIEST : timestamp)

export interface EventFields {
  uuid: string
  event: string
  distinctId: string
  properties: string
  timestamp: string
  createdAt: string
}

export const eventRow = (projectId: number, event: EventFields): WarehouseRow => ({
  project_id: projectId,
  uuid: event.uuid,
  event: event.event,
  distinct_id: event.distinctId,
  properties: event.properties,
  timestamp: moment(event.timestamp),
  created_at: moment(event.createdAt),
})

export interface PersonFields {
  uuid: string
  properties: string
  isIdentified: boolean
  createdAt: string
  version: number
  isDeleted: boolean
}

export const personRow = (projectId: number, person: PersonFields): WarehouseRow => ({
  project_id: projectId,
  id: person.uuid,
  properties: person.properties,
  is_identified: person.isIdentified,
  created_at: moment(person.createdAt),
  version: person.version,
  is_deleted: person.isDeleted ? 1 : 0,
})

export interface GroupFields {
  typeIndex: number
  key: string
  properties: string
  createdAt: string
  version: number
}

export const groupRow = (projectId: number, group: GroupFields): WarehouseRow => ({
  project_id: projectId,
  index: group.typeIndex,
  key: group.key,
  properties: group.properties,
  created_at: moment(group.createdAt),
  version: group.version,
})

/** That a person is in a static cohort, since a moment in epoch milliseconds; or is no longer. */
export const memberRow = (
  { projectId, cohortId }: { projectId: number; cohortId: number },
  personId: string,
  version: number,
  isDeleted = false,
): WarehouseRow => ({
  project_id: projectId,
  cohort_id: cohortId,
  person_id: personId,
  version,
  is_deleted: isDeleted ? 1 : 0,
})

/** Whose a distinct id is, since a moment in epoch milliseconds. */
export const distinctIdRow = (
  projectId: number,
  distinctId: string,
  personId: string,
  version: number,
): WarehouseRow => ({ project_id: projectId, distinct_id: distinctId, person_id: personId, version })
