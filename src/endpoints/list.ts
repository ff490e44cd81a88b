// Lists: the endpoints of a project, and the versions of one of them.
import { and, desc, eq, sql } from 'drizzle-orm'
import { endpoints, endpointVersions } from '../../drizzle'
import { notFound } from '../errors'
import { type Page, page } from '../http/pagination'
import type { EndpointContext } from './context'
import { recordFrom, versionRecordFrom } from './record'
import { endpointNamed, selectEndpoints } from './rows'
import type { EndpointRecord, EndpointVersionRecord } from './schema'

type Context = Pick<EndpointContext, 'deps' | 'project' | 'url'>

interface Window {
  limit: number
  offset: number
}

export interface EndpointFilters {
  is_active?: boolean | undefined
  /** Id of a user. */
  created_by?: number | undefined
}

/** A page of a project's endpoints, the newest first (reference/endpoints-api.md §2.3). */
export async function listEndpoints(
  { deps: { db }, project, url }: Context,
  { is_active: isActive, created_by: createdBy, limit, offset }: EndpointFilters & Window,
): Promise<Page<EndpointRecord>> {
  const condition = and(
    eq(endpoints.projectId, project.id),
    eq(endpoints.deleted, false),
    isActive === undefined ? undefined : eq(endpoints.isActive, isActive),
    createdBy === undefined ? undefined : eq(endpoints.createdById, createdBy),
  )!
  const [counts, rows] = await db.batch([
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(endpoints)
      .where(condition),
    selectEndpoints(db, condition)
      .orderBy(desc(endpoints.createdAt), desc(endpoints.id))
      .limit(limit)
      .offset(offset),
  ])
  const records = rows.map((row) => recordFrom(row, url))
  return page(url, { limit, offset }, counts[0]?.total ?? 0, records)
}

/**
 * A page of an endpoint's versions, the current one first.
 * @throws 404.
 */
export async function listVersions(
  { deps: { db }, project, url }: Context,
  name: string,
  { limit, offset }: Window,
): Promise<Page<EndpointVersionRecord>> {
  const named = endpointNamed(project.id, name)
  const [[found], rows] = await db.batch([
    db.select({ versions: endpoints.currentVersion }).from(endpoints).where(named),
    selectEndpoints(db, named, sql`TRUE`)
      .orderBy(desc(endpointVersions.version))
      .limit(limit)
      .offset(offset),
  ])
  if (!found) throw notFound()
  const records = rows.map((row) => versionRecordFrom(row, url))
  return page(url, { limit, offset }, found.versions, records)
}
