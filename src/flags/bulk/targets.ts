// Reads the flags that a bulk delete selects, and everything that may block their deletion, in a constant number of statements.
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { earlyAccessFeatures, experiments, featureFlags, projects } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { selectFence } from '../../storage/flags-generation'
import { selectEnabledPolicies } from '../approvals/enabled-policies'
import { flagsByIds } from '../read/rows'
import { conditionFor } from '../read/selection'
import type { BulkSelection } from './selection'

/** SQL of the selected flags. A selection by ids includes archived flags. A page has the order of the list. */
function pickedBy(db: Database, projectId: number, selection: BulkSelection, now: Date): SQL {
  if (selection.kind === 'ids')
    return and(flagsByIds(projectId, selection.ids), eq(featureFlags.deleted, false))!
  const { filters, page } = selection
  const matching = conditionFor(db, projectId, filters, now)
  if (!page) return matching
  return inArray(
    featureFlags.id,
    db
      .select({ id: featureFlags.id })
      .from(featureFlags)
      .where(matching)
      .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id))
      .limit(page.limit)
      .offset(page.offset),
  )
}

/** Takes one round trip. */
export async function readTargets(db: Database, projectId: number, selection: BulkSelection, now: Date) {
  const picked = pickedBy(db, projectId, selection, now)
  const pickedIds = db.select({ id: featureFlags.id }).from(featureFlags).where(picked)
  const [[fence], flags, features, experimentRows, dependents, [project], policies] = await db.batch([
    selectFence(db, projectId),
    db
      .select({
        id: featureFlags.id,
        key: featureFlags.key,
        rolloutState: featureFlags.rolloutState,
        decidedVariant: featureFlags.decidedVariant,
        active: featureFlags.active,
      })
      .from(featureFlags)
      .where(picked)
      .orderBy(featureFlags.id),
    db
      .selectDistinct({ flagId: earlyAccessFeatures.flagId })
      .from(earlyAccessFeatures)
      .where(
        and(eq(earlyAccessFeatures.projectId, projectId), sql`${earlyAccessFeatures.flagId} IN ${pickedIds}`),
      ),
    db
      .select({
        id: experiments.id,
        name: experiments.name,
        flagId: experiments.flagId,
        running: sql<number>`(start_date IS NOT NULL AND end_date IS NULL AND NOT deleted)`.as('running'),
      })
      .from(experiments)
      .where(and(eq(experiments.projectId, projectId), sql`${experiments.flagId} IN ${pickedIds}`))
      .orderBy(experiments.id),
    db
      .select({
        targetId: sql<number>`d.depends_on_id`.as('target_id'),
        id: sql<number>`f.id`.as('dependent_id'),
        key: sql<string>`f.key`.as('dependent_key'),
      })
      .from(sql`flag_dependencies d JOIN feature_flags f ON f.id = d.flag_id AND f.active AND NOT f.deleted`)
      .where(sql`d.depends_on_id IN ${pickedIds}`)
      .orderBy(sql`f.key`),
    db
      .select({ replayFlagId: projects.sessionRecordingLinkedFlagId })
      .from(projects)
      .where(eq(projects.id, projectId)),
    selectEnabledPolicies(db, projectId),
  ])
  return {
    generation: fence?.generation ?? 0,
    flags,
    features,
    experiments: experimentRows,
    dependents,
    replayFlagId: project?.replayFlagId ?? null,
    policies,
  }
}

export type Targets = Omit<Awaited<ReturnType<typeof readTargets>>, 'generation'>
