import { desc, sql } from 'drizzle-orm'
import * as z from 'zod'
import { featureFlags } from '../../../drizzle'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { conditionFor, selectionFields } from '../selection'

export const matchingIds = operation({
  id: 'feature_flags_matching_ids_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/matching_ids/',
  summary: 'List the ids of all flags that match the filters of the list',
  description: 'Not paged: what a bulk operation takes. Newest first.',
  scope: 'feature_flag:read',
  query: z.object(selectionFields).partial(),
  responses: {
    200: z.object({ ids: z.array(z.int()), total: z.int() }).meta({ id: 'MatchingIds' }),
    400: ErrorBody,
  },
  async handle({ deps: { db, clock }, project, query }) {
    const rows = await db
      .select({ id: sql<number>`${featureFlags.id}`.as('id') })
      .from(featureFlags)
      .where(conditionFor(db, project.id, query, clock.now()))
      .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id))
    return { ids: rows.map(({ id }) => id), total: rows.length }
  },
})
