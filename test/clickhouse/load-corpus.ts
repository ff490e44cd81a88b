// Puts the data set of the corpus into ClickHouse, as rows of the queue's consumer.
import type { ClickhouseServer } from '../../src/analytics/clickhouse/server'
import { insertRows } from '../../src/analytics/warehouse/insert'
import { distinctIdRow, eventRow, groupRow, memberRow, personRow } from '../../src/analytics/warehouse/rows'
import type { SampleProject } from '../hogql/corpus/dataset'

/** The number of the one cohort. */
export const COHORT = 1

/** Fills a project with events, people, groups and a static cohort. */
export const loadIntoClickhouse = (
  server: ClickhouseServer,
  projectId: number,
  { events, persons, groups }: SampleProject,
): Promise<void> =>
  insertRows(server, {
    events: events.map((event) =>
      eventRow(projectId, { ...event, properties: JSON.stringify(event.properties) }),
    ),
    persons: persons.map((person) =>
      personRow(projectId, {
        ...person,
        properties: JSON.stringify(person.properties),
        version: 0,
        isDeleted: false,
      }),
    ),
    person_distinct_ids: persons.flatMap(({ uuid, distinctIds }) =>
      distinctIds.map((distinctId) => distinctIdRow(projectId, distinctId, uuid, 1)),
    ),
    groups: groups.map((group) =>
      groupRow(projectId, {
        ...group,
        typeIndex: group.index,
        properties: JSON.stringify(group.properties),
        version: 0,
      }),
    ),
    cohort_people: persons
      .filter(({ inCohort }) => inCohort)
      .map(({ uuid }) => memberRow({ projectId, cohortId: COHORT }, uuid, 1)),
  })
