import { selectCohortClosure } from '../../analytics/cohorts'
import { selectDashboards } from '../../analytics/dashboards'
import { settings } from '../../deps'
import { notFound } from '../../errors'
import { readTogether } from '../../storage/run-batch'
import type { FlagContext } from '../context'
import { referencesIn } from '../filters/analysis'
import { selectKeyHolder, selectSimilarKeys } from '../keys/key-lookup'
import {
  selectDependents,
  selectDisabledTargets,
  selectExperiments,
  selectFeatures,
  selectTargets,
} from '../read/linked-objects'
import { flagById, type FlagRow, selectFlags } from '../read/rows'
import type { UpdateFlagBody } from '../schema'
import { selectFlagCount } from './write-guards'

export type UpdateFacts = Awaited<ReturnType<typeof readUpdateFacts>>

/**
 * The flag and everything that an update of it may be checked against, in one round trip.
 * @throws 404 when the project has no such flag.
 */
export async function readUpdateFacts(
  { deps: { db, env }, project }: FlagContext,
  id: number,
  body: UpdateFlagBody,
) {
  const references = referencesIn(body.filters)
  const { rows, counts, ...facts } = await readTogether(db, {
    rows: selectFlags(db, flagById(project.id, id)),
    experiments: selectExperiments(db, id),
    features: selectFeatures(db, id),
    dependents: selectDependents(db, project.id, id),
    disabledTargets: selectDisabledTargets(db, project.id, id),
    holders: selectKeyHolder(db, project.id, body.key ?? ''),
    similar: selectSimilarKeys(db, project.id, id),
    dashboards: selectDashboards(db, project.id, body.analytics_dashboards ?? []),
    targets: selectTargets(db, project.id, references.flagIds),
    cohorts: selectCohortClosure(db, project.id, references.cohortIds),
    counts: selectFlagCount(db, project.id),
  })
  const row: FlagRow | undefined = rows[0]
  if (!row) throw notFound()
  const maxFlags = settings(env).maxFlagsPerProject
  return { ...facts, row, references, liveFlags: counts[0]?.live ?? 0, maxFlags }
}
