// The Worker's client of the project objects: plain calls. Errors are thrown to the caller, and costs are added to its meter.
import { within } from '../deadline'
import type { ProjectObjects } from '../deps'
import { projectObjectName } from '../project-object-name'
import { ApiError, apiErrorIn, unavailable } from '../errors'
import type { Meter } from '../storage/metered-d1'
import type { Outcome, ProjectObject } from './project-object'

/** A write makes two calls to D1, each of which may take 8 s (`storage/metered-d1.ts`), and is then published. */
const DEADLINE_MS = 20_000

/** Many scheduled changes take many calls to D1. Past this deadline, they continue in the object. */
const RUNS_DEADLINE_MS = 60_000

/** @param meter adds up the D1 round trips of the objects */
export function createProjectObjects(
  namespace: DurableObjectNamespace<ProjectObject>,
  meter: Meter,
): ProjectObjects {
  const objectOf = (projectId: number) => namespace.getByName(projectObjectName(projectId))

  function resultOf<T>(outcome: Outcome<T>): T {
    meter.roundTrips += outcome.cost.roundTrips
    meter.rowsRead += outcome.cost.rowsRead
    meter.rowsWritten += outcome.cost.rowsWritten
    if ('problem' in outcome) throw new ApiError(outcome.problem)
    if ('crash' in outcome) throw new Error(`the project object failed: ${outcome.crash}`)
    return outcome.value
  }

  /** @throws 503 when the object cannot be reached, is restarted, or exceeds the deadline */
  async function call<T>(outcome: Promise<unknown>, deadlineMs = DEADLINE_MS): Promise<T> {
    return resultOf(
      (await within(outcome, deadlineMs).catch((error: unknown) => {
        throw apiErrorIn(error) ?? unavailable(undefined, error)
      })) as Outcome<T>,
    )
  }

  return {
    bulkDelete: (request) => call(objectOf(request.projectId).bulkDelete(request)),
    updateTags: (request) => call(objectOf(request.projectId).updateTags(request)),
    ensureUsageDashboard: (request) => call(objectOf(request.projectId).ensureUsageDashboard(request)),
    enrichUsageDashboard: (request) => call(objectOf(request.projectId).enrichUsageDashboard(request)),
    runScheduledChanges: (projectId, now) =>
      call(objectOf(projectId).runScheduledChanges(projectId, now.getTime()), RUNS_DEADLINE_MS),
    addWarnings: (projectId, warnings) => call(objectOf(projectId).addWarnings([...warnings])),
    listWarnings: (projectId, now) => call(objectOf(projectId).listWarnings(now.getTime())),
    forget: (projectId, token) => call(objectOf(projectId).forget(projectId, token)),
    publish: (projectId, now) => call(objectOf(projectId).publish(projectId, now.getTime())),
    document: (projectId, generation, now) =>
      call(objectOf(projectId).document(projectId, generation, now.getTime())),
    writeFlag: (write) => call(objectOf(write.project.id).writeFlag(write)),
  }
}
