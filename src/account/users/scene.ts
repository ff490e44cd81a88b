// The chosen dashboard of a scene (docs/reference/accounts.md#profile).
import { eq, sql } from 'drizzle-orm'
import { scenePersonalisations, users } from '../../../drizzle'
import * as z from 'zod'
import type { Actor } from '../../auth/actor'
import { invalid } from '../../errors'
import { integerIn } from '../../http/fields'
import { noPrimaryKey, noSuchObject } from '../../http/validation'
import type { Database } from '../../storage/database'
import { reachesProject } from '../organizations/reach'

/** Selects the project of a dashboard that the user can access, and the caller reaches. */
export const selectDashboard = (
  db: Database,
  userId: number,
  actor: Actor,
  dashboardId: number | undefined,
) =>
  db
    .select({
      projectId: sql<number | null>`(SELECT d.project_id FROM dashboards d
        WHERE d.id = ${dashboardId ?? -1} AND NOT d.deleted AND ${reachesProject(actor, userId, sql`d.project_id`)})`.as(
        'dashboard_project_id',
      ),
    })
    .from(users)
    .where(eq(users.id, userId))

export const dashboardReference = () =>
  z
    .preprocess(
      (value) => integerIn(value) ?? value,
      z
        .unknown()
        .refine(
          (value) =>
            value === null || Number.isInteger(value) || (typeof value === 'string' && /^\d+$/.test(value)),
          {
            error: ({ input }) => noPrimaryKey(input).detail,
            params: { code: noPrimaryKey(null).code },
            abort: true,
          },
        )
        // No id exceeds a safe integer.
        .refine((value) => value === null || Number.isSafeInteger(value), {
          error: ({ input }) => noSuchObject(input).detail,
          params: { code: noSuchObject(null).code },
        })
        .pipe(z.int()),
    )
    .meta({ type: 'integer' })

/** Maximum scenes with a dashboard of a user, all of which the user's record lists. */
export const MAX_SCENES = 100

export interface SceneInput {
  scene?: string
  dashboard?: number
}

/**
 * @param projectId the current project
 * @param dashboardProjectId null for a dashboard that the user cannot access
 * @returns null if neither was sent
 * @throws 400 if one is missing, or the dashboard belongs to another project
 */
export function planScene(
  { scene, dashboard }: SceneInput,
  projectId: number | null,
  dashboardProjectId: number | null | undefined,
): { scene: string; dashboardId: number; projectId: number } | null {
  if (scene === undefined && dashboard === undefined) return null
  if (dashboard === undefined) throw invalid(null, 'Dashboard must be provided.')
  if (dashboardProjectId === null || dashboardProjectId === undefined) {
    const { detail, code } = noSuchObject(dashboard)
    throw invalid('dashboard', detail, code)
  }
  if (projectId === null || dashboardProjectId !== projectId) {
    throw invalid('dashboard', "Dashboard must belong to the user's current team.")
  }
  if (scene === undefined) throw invalid(null, 'Scene must be provided.')
  return { scene, dashboardId: dashboard, projectId }
}

/** Statements that store a scene. Past MAX_SCENES, the one that was added first goes. */
export const storeScene = (
  db: Database,
  userId: number,
  { scene, dashboardId, projectId }: NonNullable<ReturnType<typeof planScene>>,
) => [
  db
    .insert(scenePersonalisations)
    .values({ userId, projectId, scene, dashboardId })
    .onConflictDoUpdate({
      target: [scenePersonalisations.userId, scenePersonalisations.projectId, scenePersonalisations.scene],
      set: { dashboardId },
    }),
  db
    .delete(scenePersonalisations)
    .where(
      sql`id IN (SELECT id FROM scene_personalisations WHERE user_id = ${userId} ORDER BY id DESC LIMIT -1 OFFSET ${MAX_SCENES})`,
    ),
]
