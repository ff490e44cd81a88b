// What an update has to know beyond its body.
import type { FlagContext } from './context'
import { flagById, selectFlags } from './rows'
import type { UpdateFlagBody } from './schema'
import {
  selectCohorts,
  selectDashboards,
  selectDependents,
  selectDisabledTargets,
  selectExperiments,
  selectFeatures,
  selectKeyHolder,
  selectSimilarKeys,
  selectTargets,
} from './world'

export type UpdateWorld = Awaited<ReturnType<typeof readUpdateWorld>>

/** Reads the flag, and everything that an update of it may have to be checked against, in one round trip. */
export async function readUpdateWorld(
  { deps: { db }, project }: FlagContext,
  id: number,
  body: UpdateFlagBody,
) {
  const key = body.key ?? ''
  const [
    rows,
    experiments,
    features,
    dependents,
    disabledTargets,
    holders,
    similar,
    dashboards,
    targets,
    cohorts,
  ] = await db.batch([
    selectFlags(db, flagById(project.id, id)),
    selectExperiments(db, id),
    selectFeatures(db, id),
    selectDependents(db, project.id, id),
    selectDisabledTargets(db, project.id, id),
    selectKeyHolder(db, project.id, key),
    selectSimilarKeys(db, project.id, id),
    selectDashboards(db, project.id, body.analytics_dashboards ?? []),
    selectTargets(db, project.id, body.filters),
    selectCohorts(db, project.id, body.filters),
  ])
  return {
    rows,
    experiments,
    features,
    dependents,
    disabledTargets,
    holders,
    similar,
    dashboards,
    targets,
    cohorts,
  }
}
