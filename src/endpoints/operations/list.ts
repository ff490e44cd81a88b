import { and, desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { endpoints } from '../../../drizzle'
import { ErrorBody } from '../../http/error-body'
import { boolean, integer, pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { recordFrom } from '../record'
import { selectEndpoints } from '../rows'
import { EndpointRecord } from '../schema'

export const listEndpoints = operation({
  id: 'endpoints_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/',
  summary: 'List the endpoints of a project',
  description: 'Newest first. Deleted ones are never listed.',
  scope: 'endpoint:read',
  query: z.object({
    is_active: boolean().optional(),
    created_by: integer().optional(),
    ...pageQuery,
  }),
  responses: { 200: pageOf(EndpointRecord), 400: ErrorBody },
  async handle({ deps: { db }, project, query, url }) {
    const { is_active: isActive, created_by: createdBy, limit, offset } = query
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
    return page(
      url,
      { limit, offset },
      counts[0]?.total ?? 0,
      rows.map((row) => recordFrom(row, url)),
    )
  },
})
