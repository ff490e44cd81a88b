// The data set as the ingestion queue carries it.
import type { IngestionRows } from '../../../src/outbox/ingestion-rows'
import type { JsonObject } from '../../../src/json'
import type { SampleProject } from './dataset'

export const ingestionRowsOf = (sample: SampleProject, cohortId: number): IngestionRows => ({
  events: sample.events.map(({ properties, ...row }) => ({
    ...row,
    properties: properties as JsonObject,
    setsProperties: false,
    flagKey: row.event === '$feature_flag_called' ? String(properties.$feature_flag) : null,
    flagResponse: row.event === '$feature_flag_called' ? String(properties.$feature_flag_response) : null,
  })),
  persons: sample.persons.map(({ uuid, properties, createdAt, isIdentified }) => ({
    uuid,
    properties: properties as JsonObject,
    createdAt,
    isIdentified,
    version: 1,
    isDeleted: false,
  })),
  distinctIds: sample.persons.flatMap(({ uuid, distinctIds }) =>
    distinctIds.map((distinctId) => ({ distinctId, personUuid: uuid, version: 1 })),
  ),
  groups: sample.groups.map(({ index, key, createdAt, properties }) => ({
    typeIndex: index,
    key,
    createdAt,
    properties: properties as JsonObject,
    version: 1,
  })),
  cohortPeople: sample.persons
    .filter(({ inCohort }) => inCohort)
    .map(({ uuid }) => ({ cohortId, personUuid: uuid, version: 1, isDeleted: false })),
})
