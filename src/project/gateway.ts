// The Worker's end of the project objects: plain calls, with errors and costs brought back to where they belong.
import { ApiError } from '../errors'
import type { Meter } from '../storage/metered-d1'
import type { BuildClaim } from './build-leases'
import type { BulkDeleteRequest, BulkDeleteResult } from './bulk-delete'
import type { CohortFillRequest } from './cohort-fill'
import type { Outcome, ProjectObject } from './project-object'
import type { Published } from './snapshots'

export interface Projects {
  bulkDelete(request: BulkDeleteRequest): Promise<BulkDeleteResult>
  /** Has a static cohort filled in the background. */
  fillCohort(request: CohortFillRequest): Promise<null>
  /** Gives a version to a build of its rows, or lets it have it for longer; false while another build has it. */
  claimBuild(claim: BuildClaim): Promise<boolean>
  /** Takes a version back from a build that has ended. */
  releaseBuild(claim: Pick<BuildClaim, 'projectId' | 'versionId' | 'token'>): Promise<null>
  /** Publishes the project's current generation. */
  publish(projectId: number, now: Date): Promise<Published | null>
  /** Makes sure that the current generation is published. Null: no such project. */
  confirm(projectId: number, now: Date): Promise<Published | null>
}

/** @param meter where the objects' own D1 round trips are added up. */
export function createProjects(namespace: DurableObjectNamespace<ProjectObject>, meter: Meter): Projects {
  const objectOf = (projectId: number) => namespace.getByName(`project:${projectId}`)

  function settle<T>(outcome: Outcome<T>): T {
    meter.roundTrips += outcome.cost.roundTrips
    meter.rowsRead += outcome.cost.rowsRead
    meter.rowsWritten += outcome.cost.rowsWritten
    if ('problem' in outcome) throw new ApiError(outcome.problem)
    if ('crash' in outcome) throw new Error(`the project object failed: ${outcome.crash}`)
    return outcome.value
  }

  return {
    bulkDelete: async (request) =>
      settle((await objectOf(request.projectId).bulkDelete(request)) as Outcome<BulkDeleteResult>),
    fillCohort: async (request) =>
      settle((await objectOf(request.projectId).fillCohort(request)) as Outcome<null>),
    claimBuild: async (claim) =>
      settle((await objectOf(claim.projectId).claimBuild(claim)) as Outcome<boolean>),
    releaseBuild: async (claim) =>
      settle((await objectOf(claim.projectId).releaseBuild(claim)) as Outcome<null>),
    publish: async (projectId, now) =>
      settle((await objectOf(projectId).publish(projectId, now.getTime())) as Outcome<Published | null>),
    confirm: async (projectId, now) =>
      settle((await objectOf(projectId).confirm(projectId, now.getTime())) as Outcome<Published | null>),
  }
}
