import { inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { featureFlags } from '../../../drizzle'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { ErrorBody } from '../../http/error-body'
import type { Database } from '../../storage/database'
import { viewerOf } from '../context'
import { orderBy } from '../order'
import { recordFrom } from '../record'
import { selectFlags } from '../rows'
import { FlagRecord } from '../schema'
import { conditionFor, selectionFields } from '../selection'

export const listFlags = operation({
  id: 'feature_flags_list',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/',
  summary: 'List the flags of a project',
  description:
    'Deleted flags are never listed, archived ones only on request. Filters combine with AND; newest first.',
  scope: 'feature_flag:read',
  query: z.object({
    ...z.object(selectionFields).partial().shape,
    ...pageQuery,
    order: z.string().optional(),
  }),
  responses: { 200: pageOf(FlagRecord), 400: ErrorBody },
  async handle(context) {
    const { deps, project, query, url } = context
    const { limit, offset, order, ...selection } = query
    const condition = conditionFor(deps.db, project.id, selection, deps.clock.now())
    const [counts, rows] = await deps.db.batch([
      deps.db
        .select({ total: sql<number>`count(*)`.as('total') })
        .from(featureFlags)
        .where(condition),
      selectPage(deps.db, condition, order, { limit, offset }),
    ])
    const viewer = viewerOf(context)
    const records = await Promise.all(rows.map((row) => recordFrom(row, viewer)))
    return page(url, { limit, offset }, counts[0]?.total ?? 0, records)
  },
})

/**
 * Newest first comes out of an index. For any other order the page is picked by id first, so that what a flag shows is read for the
 * page alone and not for everything that is sorted.
 */
function selectPage(
  db: Database,
  condition: SQL,
  order: string | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  const sorted = orderBy(order)
  if (!order) {
    return selectFlags(db, condition)
      .orderBy(...sorted)
      .limit(limit)
      .offset(offset)
  }
  const ids = db
    .select({ id: featureFlags.id })
    .from(featureFlags)
    .where(condition)
    .orderBy(...sorted)
    .limit(limit)
    .offset(offset)
  return selectFlags(db, inArray(featureFlags.id, ids)).orderBy(...sorted)
}
