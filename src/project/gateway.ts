// The Worker's end of the project objects: plain calls, with errors and costs brought back to where they belong.
import { within } from '../deadline'
import { ApiError, apiErrorIn, unavailable } from '../errors'
import type { Meter } from '../storage/metered-d1'
import type { BuildClaim } from './build-leases'
import type { BulkDeleteRequest, BulkDeleteResult } from './bulk-delete'
import type { CohortFillRequest } from './cohort-fill'
import type { Outcome, ProjectObject } from './project-object'
import type { SnapshotPublisher } from '../snapshots/document'

declare module '../deps' {
  interface Deps {
    /** The objects that serialize bulk work and publishing of a project. */
    projects: Projects
  }
}

export interface Projects extends SnapshotPublisher {
  bulkDelete(request: BulkDeleteRequest): Promise<BulkDeleteResult>
  /** Has a static cohort filled in the background. */
  fillCohort(request: CohortFillRequest): Promise<null>
  /** Gives a version to a build of its rows, or lets it have it for longer; false while another build has it. */
  claimBuild(claim: BuildClaim): Promise<boolean>
  /** Takes a version back from a build that has ended. */
  releaseBuild(claim: Pick<BuildClaim, 'projectId' | 'versionId' | 'token'>): Promise<null>
}

/** How long an object may take: its calls to D1 end after 8 s, and each of two to KV after 5 s. */
const DEADLINE_MS = 20_000

/** How long bulk work may take, which waits for other bulk work of the project. Past that it goes on in the object. */
const BULK_DEADLINE_MS = 60_000

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

  /** @throws 503 when the object cannot be reached, is restarted, or does not answer in time. */
  async function ask<T>(call: Promise<unknown>, deadlineMs = DEADLINE_MS): Promise<T> {
    return settle(
      (await within(call, deadlineMs).catch((error: unknown) => {
        throw apiErrorIn(error) ?? unavailable(undefined, error)
      })) as Outcome<T>,
    )
  }

  return {
    bulkDelete: (request) => ask(objectOf(request.projectId).bulkDelete(request), BULK_DEADLINE_MS),
    fillCohort: (request) => ask(objectOf(request.projectId).fillCohort(request)),
    claimBuild: (claim) => ask(objectOf(claim.projectId).claimBuild(claim)),
    releaseBuild: (claim) => ask(objectOf(claim.projectId).releaseBuild(claim)),
    publish: (projectId, now, lacking) =>
      ask(objectOf(projectId).publishManifest(projectId, now.getTime(), lacking)),
    confirm: (projectId, now) => ask(objectOf(projectId).confirmManifest(projectId, now.getTime())),
  }
}
