// What an update means for the materializations of its endpoint. Pure. Reference/endpoints-api.md §1.3.
import { sameJson } from '../../activity/diff'
import { invalid } from '../../errors'
import type { EndpointRow } from '../endpoint-rows'
import type { EndpointBody } from '../endpoint-schema'
import type { VersionState } from '../endpoint-state'
import type { Attached } from './lifecycle-statements'

/** What becomes of materializations. */
export interface MaterializationChange {
  /** Those that end. */
  ended: readonly Attached[]
  /** Whether one is attached to the version that is written: `asked` for, or `inherited` from the version before. */
  attaches: 'asked' | 'inherited' | null
  /** What happens to the one that stays: its rows are made of something else now, or are due at other times. */
  touches: 'refresh' | 'reschedule' | null
}

const NO_CHANGE: MaterializationChange = { ended: [], attaches: null, touches: null }

export interface Update {
  /** At the version that is changed, or that a new one follows. */
  row: EndpointRow
  body: Pick<EndpointBody, 'is_active' | 'is_materialized' | 'bucket_overrides'>
  /** Whether the caller named the version. */
  targeted: boolean
  /** Whether a new version is made. */
  isNew: boolean
}

/** Whether the version of the row is materialized; one whose rows sleep is not. */
export const isMaterialized = ({ materializationId, hibernatedAt }: EndpointRow): boolean =>
  materializationId !== null && hibernatedAt === null

/** @throws 400 `is_materialized` where nothing would run. */
export function requireActive({ row, body, targeted }: Omit<Update, 'isNew'>): void {
  if (!body.is_materialized) return
  const isEndpointActive = targeted ? row.isActive : (body.is_active ?? row.isActive)
  if (!isEndpointActive) throw inactive('endpoint')
  // One that is being made inactive loses what it has, whatever else was asked for.
  if (targeted && !row.versionIsActive && (body.is_active ?? null) === null) throw inactive('version')
}

/** 400: nobody would run what is kept. */
export const inactive = (what: 'endpoint' | 'version') =>
  invalid('is_materialized', `Cannot enable materialization on inactive ${what}.`)

/** Whether the version that is written is materialized afterwards: where that is settled by what is asked for and what was. */
export const willAttach = ({ row, body, targeted, isNew }: Update): MaterializationChange['attaches'] => {
  if (body.is_active === false) return null
  if (body.is_materialized) return isNew || !isMaterialized(row) ? 'asked' : null
  if (body.is_materialized === false || targeted) return null
  return isNew && isMaterialized(row) ? 'inherited' : null
}

/**
 * @param attached all materializations of the endpoint.
 * @param after what the version of the row is, unless a new one is made.
 */
export function decideMaterialization(
  update: Update,
  attached: readonly Attached[],
  before: VersionState,
  after: VersionState,
): MaterializationChange {
  const { row, body, targeted, isNew } = update
  const own = attached.filter(({ versionId }) => versionId === row.versionId)
  if (body.is_active === false) return { ...NO_CHANGE, ended: targeted ? own : attached }
  if (body.is_materialized === false && !isNew) return { ...NO_CHANGE, ended: own }
  const attaches = willAttach(update)
  if (attaches !== null || isNew || !isMaterialized(row)) return { ...NO_CHANGE, attaches }
  // Asking again is how a build that failed is tried again at once, one that is paused among them.
  if (body.is_materialized && row.materializationStatus === 'Failed')
    return { ...NO_CHANGE, touches: 'refresh' }
  return { ...NO_CHANGE, touches: touchOf(before, after) }
}

function touchOf(before: VersionState, after: VersionState): MaterializationChange['touches'] {
  if (!sameJson(before.bucket_overrides, after.bucket_overrides)) return 'refresh'
  return before.data_freshness_seconds === after.data_freshness_seconds ? null : 'reschedule'
}
