// Reads the state of a materialization (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { eq } from 'drizzle-orm'
import { endpointVersions } from '../../../drizzle'
import type { EndpointContext } from '../context'
import { findEndpoint } from '../find-endpoint'
import type { EndpointRow } from '../endpoint-rows'
import type { MaterializationRecord } from '../endpoint-schema'
import { isMaterialized } from './plan-change'
import { checkEligibility } from './eligibility'
import { isChecked, materializationOf } from './materialization-record'

/** Returns the status. A query that an older compiler checked is checked again. @throws 404 as `findEndpoint` does */
export async function readMaterializationStatus(
  context: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version?: number,
): Promise<MaterializationRecord> {
  const row = await findEndpoint(context, name, version)
  if (isMaterialized(row) || isChecked(row)) return materializationOf(row)
  return materializationOf({ ...row, eligibility: await checkAgain(context, row) })
}

async function checkAgain({ deps, project }: Pick<EndpointContext, 'deps' | 'project'>, row: EndpointRow) {
  const { eligibility, fault } = await checkEligibility({ deps, project }, row)
  if (fault === null) {
    deps.afterResponse(() =>
      deps.db.update(endpointVersions).set({ eligibility }).where(eq(endpointVersions.id, row.versionId)),
    )
  }
  return eligibility
}
