// Puts the data set into D1, straight into the tables: what the corpus is about is reading.
import type { BatchItem } from 'drizzle-orm/batch'
import { eq } from 'drizzle-orm'
import {
  cohortMembers,
  cohorts,
  events,
  groups,
  groupTypes,
  personDistinctIds,
  persons,
  propertyDefinitions,
} from '../../../drizzle'
import { runBatch } from '../../../src/storage/run-batch'
import type { Database } from '../../../src/storage/database'
import { database } from '../../support/tenant'
import { DEFINITIONS, type SampleProject } from './dataset'

/** D1 binds at most 100 values in a statement. */
const ROWS = 8
const chunks = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS))

/** Fills an empty project with events, people, groups, a static cohort and what is known of its properties. */
export async function loadIntoD1(projectId: number, sample: SampleProject): Promise<void> {
  const db = database()
  await runBatch(db, [
    ...eventRows(db, projectId, sample),
    ...personRows(db, projectId, sample),
    ...groupRows(db, projectId, sample),
    ...definitionRows(db, projectId),
  ])
  await linkPeople(projectId, sample)
}

const eventRows = (db: Database, projectId: number, sample: SampleProject): BatchItem<'sqlite'>[] =>
  chunks(sample.events).map((rows) =>
    db.insert(events).values(
      rows.map(({ properties, ...row }) => ({
        ...row,
        projectId,
        properties: { ...properties },
        flagKey: row.event === '$feature_flag_called' ? String(properties.$feature_flag) : null,
        flagResponse: row.event === '$feature_flag_called' ? String(properties.$feature_flag_response) : null,
      })),
    ),
  )

const personRows = (db: Database, projectId: number, sample: SampleProject): BatchItem<'sqlite'>[] =>
  chunks(sample.persons).map((rows) =>
    db.insert(persons).values(
      rows.map(({ uuid, properties, createdAt, isIdentified }) => ({
        projectId,
        uuid,
        properties: { ...properties },
        createdAt,
        isIdentified,
      })),
    ),
  )

const groupRows = (db: Database, projectId: number, sample: SampleProject): BatchItem<'sqlite'>[] => [
  db.insert(groupTypes).values(['organization', 'team'].map((name, index) => ({ projectId, index, name }))),
  ...chunks(sample.groups).map((rows) =>
    db.insert(groups).values(
      rows.map(({ index, key, createdAt, properties }) => ({
        projectId,
        typeIndex: index,
        key,
        createdAt,
        properties: { ...properties },
      })),
    ),
  ),
]

const definitionRows = (db: Database, projectId: number): BatchItem<'sqlite'>[] =>
  chunks(
    Object.entries(DEFINITIONS).flatMap(([owner, types]) =>
      Object.entries(types).map(([name, type]) => ({ projectId, owner, name, type })),
    ),
  ).map((rows) => db.insert(propertyDefinitions).values(rows))

/** Distinct ids and the cohort's members, which need the numbers that the rows of people got. */
async function linkPeople(projectId: number, sample: SampleProject): Promise<void> {
  const db = database()
  const numbered = await db
    .select({ id: persons.id, uuid: persons.uuid })
    .from(persons)
    .where(eq(persons.projectId, projectId))
  const numberOf = new Map(numbered.map(({ id, uuid }) => [uuid, id]))
  const [cohort] = await db
    .insert(cohorts)
    .values({ projectId, name: 'Early', isStatic: true, createdAt: '2026-03-01T00:00:00.000000Z' })
    .returning({ id: cohorts.id })
  const links = sample.persons.flatMap(({ uuid, distinctIds }) =>
    distinctIds.map((distinctId) => ({ projectId, distinctId, personId: numberOf.get(uuid)! })),
  )
  const members = sample.persons
    .filter(({ inCohort }) => inCohort)
    .map(({ uuid }) => ({ cohortId: cohort!.id, personId: numberOf.get(uuid)! }))
  await runBatch(db, [
    ...chunks(links).map((rows) => db.insert(personDistinctIds).values(rows)),
    ...chunks(members).map((rows) => db.insert(cohortMembers).values(rows)),
  ])
}
