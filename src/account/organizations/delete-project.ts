// Deletes a project. Its row is deleted at once, so that no token, key or page finds it, and the rest in the background
// (jobs/delete-project.ts).
import { and, eq, sql } from 'drizzle-orm'
import { projects, scenePersonalisations, webhooks, workspaceIntegrations } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import { type Actor, type Project, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound, permissionDenied } from '../../errors'
import { insertTask } from '../../outbox/outbox'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch, runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { isAdmin } from './membership-guards'

/**
 * Deletes a project. Ids of projects are never reused, so that a key that is restricted to the project never gives access to another one.
 * @throws 403 for members below admin; 404 when another call has deleted it
 */
export async function deleteProject(
  deps: Deps,
  actor: Actor,
  { id, organizationId }: Pick<Project, 'id' | 'organizationId'>,
): Promise<void> {
  const { db, clock, keyCache } = deps
  const isIt = eq(projects.id, id)
  const isAllowed = isAdmin(organizationId, userOf(actor)!.id)
  await retryOnConflict(async () => {
    const { name, apiToken, shard } = projects
    const [[project]] = await runIf(
      db,
      isAllowed,
      [db.select({ name, apiToken, shard }).from(projects).where(isIt)],
      () => permissionDenied('Only admins can delete projects of this organization.'),
    )
    if (!project) throw notFound('Project not found.')
    const now = clock.now()
    const isUnchanged = and(isIt, eq(name, project.name), eq(apiToken, project.apiToken))
    const task = insertTask(deps, now, id, {
      kind: 'delete_project',
      token: project.apiToken,
      shard: project.shard,
      before: toStoredTimestamp(now),
      step: 0,
    })
    await keyCache.forgetAfter({ organizationId }, () =>
      runBatch(db, [
        guard(db, sql`${isAllowed} AND EXISTS (SELECT 1 FROM ${projects} WHERE ${isUnchanged})`),
        // The entry belongs to the organization, because the log of the project is deleted with it.
        recordActivity(deps, now, {
          organizationId,
          actor,
          scope: 'Project',
          itemId: String(id),
          verb: 'deleted',
          name: project.name,
          changes: [],
        }),
        task.statement,
        db.update(webhooks).set({ isActive: false }).where(eq(webhooks.projectId, id)),
        // These rows refer to the row of the project.
        db.delete(workspaceIntegrations).where(eq(workspaceIntegrations.projectId, id)),
        db.delete(scenePersonalisations).where(eq(scenePersonalisations.projectId, id)),
        db.delete(projects).where(isIt),
      ]),
    )
  })
}
