// What an update is decided on: the flag, and whatever its rules ask about.
import { selectCohortClosure } from '../analytics/cohorts'
import { selectDashboards } from '../analytics/dashboards'
import { settings } from '../deps'
import { notFound } from '../errors'
import { readTogether } from '../storage/run-batch'
import type { FlagContext } from './context'
import { selectDependents, selectDisabledTargets, selectTargets } from './dependencies'
import { rootsIn } from './filters/shape'
import { selectKeyHolder, selectSimilarKeys } from './held-keys'
import { selectExperiments, selectFeatures } from './referrers'
import { selectFlagCount } from './room'
import { flagById, type FlagRow, selectFlags } from './rows'
import type { UpdateFlagBody } from './schema'

/** What an update may have to be checked against beyond the flag itself. */
export type UpdateWorld = Awaited<ReturnType<typeof readUpdateWorld>>['world']

/**
 * Reads the flag, and everything that an update of it may have to be checked against, in one round trip.
 * @throws 404 when the project has no such flag.
 */
export async function readUpdateWorld(
  { deps: { db, env }, project }: FlagContext,
  id: number,
  body: UpdateFlagBody,
) {
  const { flagIds, cohortIds } = rootsIn(body.filters)
  const { rows, counts, ...world } = await readTogether(db, {
    rows: selectFlags(db, flagById(project.id, id)),
    experiments: selectExperiments(db, id),
    features: selectFeatures(db, id),
    dependents: selectDependents(db, project.id, id),
    disabledTargets: selectDisabledTargets(db, project.id, id),
    holders: selectKeyHolder(db, project.id, body.key ?? ''),
    similar: selectSimilarKeys(db, project.id, id),
    dashboards: selectDashboards(db, project.id, body.analytics_dashboards ?? []),
    targets: selectTargets(db, project.id, flagIds),
    cohorts: selectCohortClosure(db, project.id, cohortIds),
    counts: selectFlagCount(db, project.id),
  })
  const row: FlagRow | undefined = rows[0]
  if (!row) throw notFound()
  const count = { live: counts[0]?.live ?? 0, most: settings(env).maxFlagsPerProject }
  return { row, world: { ...world, ...count } }
}
