import { desc, sql } from 'drizzle-orm'
import * as z from 'zod'
import { endpoints, endpointVersions } from '../../../drizzle'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { versionRecordFrom } from '../record'
import { endpointNamed, selectEndpoints } from '../rows'
import { EndpointPath, EndpointVersionRecord } from '../schema'

export const listVersions = operation({
  id: 'endpoints_versions_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/versions/',
  summary: 'List the versions of an endpoint',
  description: 'The current one first. `is_active` and `created_by` are taken and have no effect.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object({
    is_active: z.unknown().optional().meta({ type: 'boolean' }),
    created_by: z.unknown().optional().meta({ type: 'integer' }),
    ...pageQuery,
  }),
  responses: { 200: pageOf(EndpointVersionRecord), 404: ErrorBody },
  async handle({ deps: { db }, project, params, query: { limit, offset }, url }) {
    const named = endpointNamed(project.id, params.name)
    const [found, rows] = await db.batch([
      db.select({ versions: endpoints.currentVersion }).from(endpoints).where(named),
      selectEndpoints(db, named, sql`TRUE`)
        .orderBy(desc(endpointVersions.version))
        .limit(limit)
        .offset(offset),
    ])
    if (!found[0]) throw notFound()
    return page(
      url,
      { limit, offset },
      found[0].versions,
      rows.map((row) => versionRecordFrom(row, url)),
    )
  },
})
