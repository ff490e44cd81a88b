// The Worker's end of the project objects: plain calls, with errors and costs brought back to where they belong.
import { ApiError, unavailable } from '../errors'
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

  /** @throws 503 when the object cannot be reached or is restarted. */
  async function ask<T>(call: Promise<unknown>): Promise<T> {
    return settle(
      (await call.catch((error: unknown) => {
        throw unavailable(undefined, error)
      })) as Outcome<T>,
    )
  }

  return {
    bulkDelete: (request) => ask(objectOf(request.projectId).bulkDelete(request)),
    fillCohort: (request) => ask(objectOf(request.projectId).fillCohort(request)),
    claimBuild: (claim) => ask(objectOf(claim.projectId).claimBuild(claim)),
    releaseBuild: (claim) => ask(objectOf(claim.projectId).releaseBuild(claim)),
    publish: (projectId, now) => ask(objectOf(projectId).publish(projectId, now.getTime())),
    confirm: (projectId, now) => ask(objectOf(projectId).confirm(projectId, now.getTime())),
  }
}
