import { eq, sql } from 'drizzle-orm'
import { projects } from '../../../drizzle'
import { type IngestionRows, noRows, type RowKind, tombstone } from '../../outbox/ingestion-rows'
import type { GroupName } from '../../outbox/task'
import { MAX_PAGE_BYTES } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { chunksOf } from '../../storage/json-parameters'

type PeopleKind = Exclude<RowKind, 'events'>

/** SQL of rows as JSON, from the tables `persons p`, `person_distinct_ids d`, `cohort_members m` and `groups g`. */
export const PEOPLE_JSON: Readonly<Record<PeopleKind, string>> = {
  cohortPeople: `json_object('cohortId', m.cohort_id, 'personUuid', p.uuid, 'version', m.version, 'isDeleted', json('false'))`,
  groups: `json_object('typeIndex', g.type_index, 'key', g.group_key, 'createdAt', g.created_at, 'version', g.version,
    'properties', json(g.properties))`,
  distinctIds: `json_object('distinctId', d.distinct_id, 'personUuid', p.uuid, 'version', d.version)`,
  persons: `json_object('uuid', p.uuid, 'isIdentified', json(iif(p.is_identified, 'true', 'false')), 'createdAt', p.created_at,
    'version', p.version, 'isDeleted', json('false'), 'properties', json(p.properties))`,
}

const rowOf = (kind: PeopleKind) => sql<string>`${sql.raw(PEOPLE_JSON[kind])}`.as('copy')

const parsed = <Kind extends PeopleKind>(rows: readonly { row: string }[]): IngestionRows[Kind] =>
  rows.map(({ row }) => JSON.parse(row) as IngestionRows[Kind][number]) as IngestionRows[Kind]

interface People {
  /** Uuids of persons. An unknown one gives a tombstone. */
  persons: readonly string[]
  groups: readonly GroupName[]
}

const selectPersons = (projectId: number, persons: readonly string[]) =>
  sql`json_each(${JSON.stringify(persons)}) wanted CROSS JOIN persons p ON p.project_id = ${projectId} AND p.uuid = wanted.value`

/** Statements for a batch. */
const selectRows = (db: Database, projectId: number, { persons, groups }: People) =>
  [
    db.select({ version: projects.peopleVersion }).from(projects).where(eq(projects.id, projectId)),
    db.select({ row: rowOf('persons') }).from(selectPersons(projectId, persons)),
    db.select({ row: rowOf('groups') }).from(
      sql`json_each(${JSON.stringify(groups)}) wanted CROSS JOIN groups g ON g.project_id = ${projectId}
        AND g.type_index = (wanted.value ->> '$.typeIndex') AND g.group_key = (wanted.value ->> '$.key')`,
    ),
  ] as const

function rowsFrom(
  { persons }: People,
  project: { version: number } | undefined,
  found: readonly { row: string }[],
  groups: readonly { row: string }[],
): IngestionRows {
  const copies = parsed<'persons'>(found)
  const known = new Set(copies.map(({ uuid }) => uuid))
  const gone = persons.filter((uuid) => !known.has(uuid))
  return {
    ...noRows(),
    persons: [...copies, ...gone.map((uuid) => tombstone(uuid, project?.version ?? 0))],
    groups: parsed<'groups'>(groups),
  }
}

/**
 * Reads the current rows of persons and groups that are too large for a message. The message itself has the distinct ids and memberships
 * that changed. The others are not read, because a person may have thousands, and they did not change.
 */
export async function readLargeRows(db: Database, projectId: number, people: People): Promise<IngestionRows> {
  const [[project], found, groups] = await db.batch([...selectRows(db, projectId, people)])
  return rowsFrom(people, project, found, groups)
}

/**
 * Reads current copies of groups, and of persons with all distinct ids and memberships, for when it is not known what has changed. They
 * come in pages of some megabytes, because a hundred persons may have a million distinct ids.
 */
export async function* readPeopleCopies(
  db: Database,
  projectId: number,
  { persons, groups }: People,
): AsyncGenerator<IngestionRows> {
  const sizes = new Map((await selectSizes(db, projectId, persons)).map(({ uuid, bytes }) => [uuid, bytes]))
  for (const part of chunksOf(persons, (uuid) => sizes.get(uuid) ?? 0, MAX_PAGE_BYTES))
    yield readPage(db, projectId, { persons: part, groups: [] })
  for (const part of chunksOf(groups, () => 1, MAX_GROUPS))
    yield readPage(db, projectId, { persons: [], groups: part })
}

/** Maximum groups of a page. Each has half a megabyte at most. */
const MAX_GROUPS = 16

/** Approximate bytes of a distinct id or membership besides its name. */
const ROW_BYTES = 100

/** Selects the approximate bytes of the copies of each person. */
const selectSizes = (db: Database, projectId: number, persons: readonly string[]) =>
  db
    .select({
      uuid: sql<string>`p.uuid`.as('uuid'),
      bytes: sql<number>`octet_length(p.properties)
        + (SELECT total(octet_length(d.distinct_id) + ${ROW_BYTES}) FROM person_distinct_ids d WHERE d.person_id = p.id)
        + (SELECT count(*) * ${ROW_BYTES} FROM cohort_members m WHERE m.person_id = p.id)`.as('bytes'),
    })
    .from(selectPersons(projectId, persons))

async function readPage(db: Database, projectId: number, people: People): Promise<IngestionRows> {
  const persons = selectPersons(projectId, people.persons)
  const [[project], found, groups, distinctIds, members] = await db.batch([
    ...selectRows(db, projectId, people),
    db
      .select({ row: rowOf('distinctIds') })
      .from(sql`${persons} CROSS JOIN person_distinct_ids d ON d.person_id = p.id`),
    db
      .select({ row: rowOf('cohortPeople') })
      .from(sql`${persons} CROSS JOIN cohort_members m ON m.person_id = p.id`),
  ])
  return {
    ...rowsFrom(people, project, found, groups),
    distinctIds: parsed<'distinctIds'>(distinctIds),
    cohortPeople: parsed<'cohortPeople'>(members),
  }
}

/**
 * Reads whether persons are members of a static cohort. A person who is not has a tombstone.
 * @param persons uuids; unknown ones are left out
 */
export async function readMemberCopies(
  db: Database,
  projectId: number,
  cohortId: number,
  persons: readonly string[],
): Promise<IngestionRows> {
  const rows = await db
    .select({
      personUuid: sql<string>`p.uuid`.as('uuid'),
      // A removed member has no row any more. The tombstone takes the project's version.
      version:
        sql<number>`coalesce(m.version, (SELECT people_version FROM projects WHERE id = ${projectId}))`.as(
          'version',
        ),
      isDeleted: sql<number>`m.person_id IS NULL`.as('is_deleted'),
    })
    .from(
      sql`${selectPersons(projectId, persons)}
        LEFT JOIN cohort_members m ON m.cohort_id = ${cohortId} AND m.person_id = p.id`,
    )
  return {
    ...noRows(),
    cohortPeople: rows.map(({ isDeleted, ...row }) => ({ ...row, cohortId, isDeleted: isDeleted === 1 })),
  }
}
