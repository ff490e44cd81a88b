// Pages of endpoints and of versions, and the times of last runs.
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { endpoints, endpointVersions, projects } from '../../drizzle'
import { notFound } from '../errors'
import { type Page, page } from '../http/pagination'
import { bytesOf, fitsInPage, isWithinBytes, withRunningTotal } from '../storage/byte-page'
import { countOf, totalIn } from '../storage/count'
import type { EndpointContext } from './context'
import { recordFrom, versionRecordFrom } from './endpoint-record'
import { endpointNamed, selectEndpoints } from './endpoint-rows'
import type { EndpointRecord, EndpointVersionRecord } from './endpoint-schema'
import { toApiTimestamp } from '../timestamps'

type Context = Pick<EndpointContext, 'deps' | 'project' | 'url'>

interface Window {
  limit: number
  offset: number
}

export interface VersionFilters {
  is_active?: boolean | undefined
  /** The id of a user. */
  created_by?: number | undefined
}

export interface EndpointFilters extends VersionFilters {
  /** A text that the name contains. */
  search?: string | undefined
}

/** Selects ids of versions with the bytes of their records. */
const selectSizes = sql`SELECT endpoint_versions.id AS id, ${bytesOf(
  endpointVersions.query,
  endpointVersions.columns,
  endpointVersions.description,
  endpointVersions.optionalBreakdownProperties,
  endpointVersions.bucketOverrides,
  endpointVersions.eligibility,
)} AS bytes FROM endpoints JOIN endpoint_versions ON endpoint_versions.endpoint_id = endpoints.id`

const isPicked = sql`${endpointVersions.id} = picked.id AND ${isWithinBytes()}`

/** Whether `fitsInPage` rejected the page: its rows are then read up to the byte limit. */
const isTooLarge = (rows: readonly unknown[], total: number, offset: number): boolean =>
  rows.length === 0 && offset < total

/** Lists endpoints, newest first. Upstream promises no order. */
export async function listEndpoints(
  { deps: { db }, project, url }: Context,
  { is_active: isActive, created_by: createdBy, search = '', limit, offset }: EndpointFilters & Window,
): Promise<Page<EndpointRecord>> {
  const condition = and(
    eq(endpoints.projectId, project.id),
    eq(endpoints.deleted, false),
    isActive === undefined ? undefined : eq(endpoints.isActive, isActive),
    createdBy === undefined ? undefined : eq(endpoints.createdById, createdBy),
    // SQLite's lower() suffices, because names are ASCII.
    search === '' ? undefined : sql`instr(lower(${endpoints.name}), ${search.toLowerCase()}) > 0`,
  )!
  const sizes = sql`${selectSizes} AND endpoint_versions.version = endpoints.current_version WHERE ${condition}
    ORDER BY endpoints.created_at DESC, endpoints.id DESC LIMIT ${limit} OFFSET ${offset}`
  const isFiltered = isActive !== undefined || createdBy !== undefined || search !== ''
  const [counts, fitting] = await db.batch([
    isFiltered
      ? countOf(db, endpoints, condition)
      : db
          .select({ total: sql<number>`${projects.endpointCount}`.as('total') })
          .from(projects)
          .where(eq(projects.id, project.id)),
    selectEndpoints(db, and(condition, fitsInPage(sizes))!)
      .orderBy(desc(endpoints.createdAt), desc(endpoints.id))
      .limit(limit)
      .offset(offset),
  ])
  const total = totalIn(counts)
  const rows = isTooLarge(fitting, total, offset)
    ? await selectEndpoints(db, condition)
        .innerJoin(withRunningTotal(sizes), isPicked)
        .orderBy(desc(endpoints.createdAt), desc(endpoints.id))
    : fitting
  const records = rows.map((row) => recordFrom(row, url))
  return page(url, { limit, offset }, total, records)
}

/** SQL condition on the versions of an outer `endpoints`. @param alias of `endpoint_versions` */
const versionsOf = (alias: string, { is_active: isActive, created_by: createdBy }: VersionFilters): SQL => {
  const column = (name: string) => sql.raw(`${alias}.${name}`)
  return and(
    sql`${column('endpoint_id')} = endpoints.id`,
    isActive === undefined ? undefined : sql`${column('is_active')} = ${Number(isActive)}`,
    createdBy === undefined ? undefined : sql`${column('created_by_id')} = ${createdBy}`,
  )!
}

/** Lists versions, newest first. The filters are about the versions, not about the endpoint. @throws 404 */
export async function listVersions(
  { deps: { db }, project, url }: Context,
  name: string,
  { limit, offset, ...filters }: VersionFilters & Window,
): Promise<Page<EndpointVersionRecord>> {
  const named = endpointNamed(project.id, name)
  // Version numbers have gaps, since old versions are deleted: find the first one by offset.
  const first = sql`(SELECT f.version FROM endpoint_versions f WHERE ${versionsOf('f', filters)}
    ORDER BY f.version DESC LIMIT 1 OFFSET ${offset})`
  const listed = and(named, versionsOf('endpoint_versions', filters))!
  const onPage = and(listed, sql`${endpointVersions.version} <= ${first}`)!
  const sizes = sql`${selectSizes} WHERE ${onPage} ORDER BY endpoint_versions.version DESC LIMIT ${limit}`
  const [[found], fitting] = await db.batch([
    db
      .select({
        versions:
          sql<number>`(SELECT count(*) FROM endpoint_versions c WHERE ${versionsOf('c', filters)})`.as(
            'versions',
          ),
      })
      .from(endpoints)
      .where(named),
    selectEndpoints(db, and(onPage, fitsInPage(sizes))!, sql`TRUE`)
      .orderBy(desc(endpointVersions.version))
      .limit(limit),
  ])
  if (!found) throw notFound()
  const rows = isTooLarge(fitting, found.versions, offset)
    ? await selectEndpoints(db, listed, sql`TRUE`)
        .innerJoin(withRunningTotal(sizes), isPicked)
        .orderBy(desc(endpointVersions.version))
    : fitting
  const records = rows.map((row) => versionRecordFrom(row, url))
  return page(url, { limit, offset }, found.versions, records)
}

/** Returns names and times of last runs, ordered by name. Unknown names are left out. */
export async function lastExecuted(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  names: readonly string[],
): Promise<[name: string, at: string][]> {
  const rows = await db
    .select({ name: endpoints.name, at: sql<string>`last_executed_at`.as('at') })
    .from(endpoints)
    .where(
      and(
        eq(endpoints.projectId, project.id),
        sql`${endpoints.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`,
        eq(endpoints.deleted, false),
        isNotNull(endpoints.lastExecutedAt),
      ),
    )
    .orderBy(endpoints.name)
  return rows.map(({ name, at }) => [name, toApiTimestamp(at)])
}
