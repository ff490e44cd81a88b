// Lists the members of a cohort, as flags evaluate it.
import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import type * as z from 'zod'
import { cohortMembers, persons } from '../../../drizzle'
import { getCohort } from './read-cohorts'
import {
  mayBeMore,
  relatedRowsOf,
  selectPersonsBefore,
  subjectFrom,
} from '../../analytics/evaluation-subject'
import {
  linkTo,
  MAX_IDS_IN_LIST,
  personColumns,
  type PersonPage,
  personRecordFrom,
} from '../../analytics/person-records'
import { bytesOf, isWithinBytes, sortByPlace, withRunningTotal } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import type { FlagContext } from '../context'
import { isMatchOf, readProbe } from '../evaluate/blast-radius'

/** Maximum persons that one request evaluates for a dynamic cohort. */
export const MAX_EVALUATED = 2_500

interface Window {
  /** Only persons with smaller ids are listed. */
  cursor?: number | undefined
  limit: number
}

/** The ids of members, newest first. `next` is the cursor of the next page, or null without one. */
interface Picked {
  ids: number[]
  next: number | null
}

/**
 * Lists a page of members, newest first. A page of a dynamic cohort may have fewer members than `limit`, or none, before the last page.
 * @throws 404
 */
export async function listMembers(
  context: FlagContext,
  id: number,
  window: Window,
  url: URL,
): Promise<z.output<typeof PersonPage>> {
  const { db } = context.deps
  const { is_static: isStatic } = await getCohort(db, context.project.id, id)
  const { ids, next } = isStatic ? await pickListed(db, id, window) : await pickMatching(context, id, window)
  const rows = ids.length === 0 ? [] : sortByPlace(await selectRecords(db, context.project.id, ids))
  // The page may end early, because its persons are large.
  const last = rows.length < ids.length ? (rows.at(-1)?.id ?? null) : next
  return {
    next: last === null ? null : linkTo(url, String(last)),
    previous: null,
    results: rows.map(personRecordFrom),
  }
}

async function pickListed(db: Database, cohortId: number, { cursor, limit }: Window): Promise<Picked> {
  const rows = await db
    .select({ id: cohortMembers.personId })
    .from(cohortMembers)
    .where(
      and(
        eq(cohortMembers.cohortId, cohortId),
        cursor === undefined ? undefined : lt(cohortMembers.personId, cursor),
      ),
    )
    .orderBy(desc(cohortMembers.personId))
    .limit(limit + 1)
  const ids = rows.slice(0, limit).map((row) => row.id)
  return { ids, next: rows.length > limit ? ids.at(-1)! : null }
}

async function pickMatching(
  context: FlagContext,
  cohortId: number,
  { cursor, limit }: Window,
): Promise<Picked> {
  const { deps, project } = context
  const condition = { properties: [{ key: 'id', type: 'cohort', operator: 'in', value: cohortId }] }
  const probe = await readProbe(context, condition, null)
  const people = await selectPersonsBefore(
    deps.db,
    project.id,
    relatedRowsOf(probe.compiled),
    cursor ?? null,
    MAX_EVALUATED,
  )
  const ids: number[] = []
  let last = cursor ?? null
  for (const person of people) {
    // The next page continues with this person.
    if (ids.length === limit) return { ids, next: last }
    const isMember = isMatchOf(() =>
      probe.matches(subjectFrom(person, [], { distinctId: person.firstDistinctId ?? '' })),
    )
    // The evaluation of this person alone exceeds the budget, so that the next page skips it.
    if (probe.budget.exceeded > 0) return { ids, next: last === (cursor ?? null) ? person.id : last }
    if (isMember) ids.push(person.id)
    last = person.id
  }
  return { ids, next: mayBeMore(people, MAX_EVALUATED) ? last : null }
}

const selectRecords = (db: Database, projectId: number, ids: readonly number[]) => {
  const page: SQL = sql`SELECT persons.id, ${bytesOf(persons.properties)} AS bytes FROM persons
    WHERE +persons.project_id = ${projectId} AND persons.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
    ORDER BY persons.id DESC`
  return db
    .select({ place: sql<number>`picked.place`.as('place'), ...personColumns(MAX_IDS_IN_LIST) })
    .from(persons)
    .innerJoin(withRunningTotal(page), sql`${persons.id} = picked.id AND ${isWithinBytes()}`)
}
