// Plans what an update means for the materializations of its endpoint (docs/reference/endpoints.md#updates-versions-and-deletion). Pure.
import { sameJson } from '../../json'
import { invalid } from '../../errors'
import type { EndpointRow } from '../endpoint-rows'
import type { EndpointBody } from '../endpoint-schema'
import type { VersionState } from '../endpoint-state'
import type { AttachedMaterialization } from './lifecycle-statements'

export interface MaterializationChange {
  ended: readonly AttachedMaterialization[]
  /**
   * Whether a materialization is attached to the written version, because it was `requested`, or `inherited` from the previous version.
   */
  attaches: 'requested' | 'inherited' | null
  /** How a materialization that continues is changed. */
  touches: 'refresh' | 'reschedule' | null
}

const NO_CHANGE: MaterializationChange = { ended: [], attaches: null, touches: null }

export interface Update {
  /** The endpoint at the version to change, or at the one before the new version. */
  row: EndpointRow
  body: Pick<EndpointBody, 'is_active' | 'is_materialized' | 'bucket_overrides'>
  /** Whether the request names the version. */
  targeted: boolean
  /** Whether the update creates a new version. */
  isNew: boolean
}

/** Whether the version is materialized. A hibernated version is not. */
export const isMaterialized = ({ materializationId, hibernatedAt }: EndpointRow): boolean =>
  materializationId !== null && hibernatedAt === null

/** @throws 400 `is_materialized` for an inactive endpoint or version */
export function requireActive({ row, body, targeted }: Omit<Update, 'isNew'>): void {
  if (!body.is_materialized) return
  const isEndpointActive = targeted ? row.isActive : (body.is_active ?? row.isActive)
  if (!isEndpointActive) throw inactive('endpoint')
  // A request that deactivates the version detaches its materialization, whatever else it contains.
  if (targeted && !row.versionIsActive && (body.is_active ?? null) === null) throw inactive('version')
}

export const inactive = (what: 'endpoint' | 'version') =>
  invalid('is_materialized', `Cannot enable materialization on inactive ${what}.`)

/** Decides whether a materialization is attached, from the request and the previous state alone. */
export const willAttach = ({ row, body, targeted, isNew }: Update): MaterializationChange['attaches'] => {
  if (body.is_active === false) return null
  if (body.is_materialized) return isNew || !isMaterialized(row) ? 'requested' : null
  if (body.is_materialized === false || targeted) return null
  return isNew && isMaterialized(row) ? 'inherited' : null
}

/** @param after state of the row's version, unless there is a new one */
export function decideMaterialization(
  update: Update,
  attached: readonly AttachedMaterialization[],
  before: VersionState,
  after: VersionState,
): MaterializationChange {
  const { row, body, targeted, isNew } = update
  const own = attached.filter(({ versionId }) => versionId === row.versionId)
  if (body.is_active === false) return { ...NO_CHANGE, ended: targeted ? own : attached }
  if (body.is_materialized === false && !isNew) return { ...NO_CHANGE, ended: own }
  const attaches = willAttach(update)
  if (attaches !== null || isNew || !isMaterialized(row)) return { ...NO_CHANGE, attaches }
  // Sending `is_materialized: true` again retries a failed or paused build at once.
  if (body.is_materialized && row.materializationStatus === 'Failed')
    return { ...NO_CHANGE, touches: 'refresh' }
  return { ...NO_CHANGE, touches: touchOf(before, after) }
}

function touchOf(before: VersionState, after: VersionState): MaterializationChange['touches'] {
  if (!sameJson(before.bucket_overrides, after.bucket_overrides)) return 'refresh'
  return before.data_freshness_seconds === after.data_freshness_seconds ? null : 'reschedule'
}
