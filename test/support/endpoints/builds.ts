// Materialized endpoints and their builds, for tests of builds.
import { sendDue } from '../../../src/endpoints/materialization/send-due-builds'
import { hogql } from './endpoints'
import { materializationRow, type MaterializingTenant } from './materialization'
import { database } from '../tenant'

/** How often each event happened, the most frequent first. */
export const COUNTS = 'SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC, event'

/** A query of the numbers below `count`, in descending order. */
export const numbersBelow = (count: number) => `SELECT number FROM numbers(${count}) ORDER BY number DESC`

/** The state of a materialization without a build in progress. */
export const NOTHING_UNDER_WAY = { building: null, buildPlan: null, buildToken: null, buildUntil: null }

/** An endpoint to materialize, with functions that read the progress. */
export async function materializedEndpoint(
  tenant: MaterializingTenant,
  query: string,
  body: Record<string, unknown> = {},
) {
  const made = await tenant.endpoint({ query: hogql(query), is_materialized: true, ...body })
  const versionId = made.current_version_id as string
  return {
    ...made,
    id: made.materialization.saved_query_id as string,
    message: { projectId: tenant.projectId, versionId },
    row: () => materializationRow(versionId),
    run: async () =>
      (await tenant.post(tenant.endpoints(`${made.name}/run`), { refresh: 'force', limit: 50_000 })).body,
    status: async () => (await tenant.get(tenant.endpoints(`${made.name}/materialization_status`))).body,
    table: (generation: number) =>
      `mat_${made.materialization.saved_query_id.replaceAll('-', '')}_${generation}`,
  }
}

/** Returns how many messages wait in the queue after the minute's trigger. */
export async function nextMinute(tenant: MaterializingTenant): Promise<number> {
  tenant.waiting.length = 0
  await sendDue({ db: database(), env: tenant.env }, tenant.clock.now())
  const own = tenant.waiting.filter(({ projectId }) => projectId === tenant.projectId)
  tenant.waiting.splice(0, tenant.waiting.length, ...own)
  return own.length
}
