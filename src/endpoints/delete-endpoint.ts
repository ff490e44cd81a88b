// Deletes an endpoint and its materialized rows. The versions remain, and in the shard its run log and stored results, until they expire:
// nothing reads them any more.
import { sql } from 'drizzle-orm'
import { endpoints } from '../../drizzle'
import { recordActivity } from '../activity/record'
import { notFound } from '../errors'
import { guard } from '../storage/database'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { runBatch } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import type { EndpointContext } from './context'
import { areAttachmentsUnchanged, detach, selectAttached } from './materialization/lifecycle-statements'
import { endpointNamed, endpointWithId } from './endpoint-rows'

/** @throws 404 when the project has no such endpoint, or another request deleted it first */
export const deleteEndpoint = (context: EndpointContext, name: string): Promise<void> =>
  retryOnConflict(async () => {
    const { deps, actor, project } = context
    const { db } = deps
    const named = endpointNamed(project.id, name)
    const [[row], attached] = await db.batch([
      db.select({ id: endpoints.id }).from(endpoints).where(named),
      selectAttached(db, named),
    ])
    if (!row) throw notFound()
    const now = deps.clock.now()
    await runBatch(db, [
      guard(
        db,
        sql`EXISTS (SELECT 1 FROM endpoints WHERE id = ${row.id} AND deleted = 0)
          AND ${areAttachmentsUnchanged(row.id, attached)}`,
      ),
      ...attached.flatMap((each) => detach({ deps, projectId: project.id, actor, name, now }, each)),
      db
        .update(endpoints)
        .set({ deleted: true, updatedAt: toStoredTimestamp(now) })
        .where(endpointWithId(project.id, row.id)),
      recordActivity(deps, now, {
        projectId: project.id,
        actor,
        scope: 'Endpoint',
        itemId: row.id,
        verb: 'deleted',
        name,
        changes: [],
      }),
    ])
  })
