// State of a version's materialization as records show it (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { toApiTimestampOrNull } from '../../timestamps'
import { COMPILER_VERSION } from '../compile/compiled-version'
import type { EndpointRow } from '../endpoint-rows'
import type { MaterializationRecord } from '../endpoint-schema'

type Row = Pick<
  EndpointRow,
  | 'name'
  | 'eligibility'
  | 'materializationId'
  | 'materializationStatus'
  | 'materializationError'
  | 'generation'
  | 'lastMaterializedAt'
  | 'hibernatedAt'
>

/** The reason that a version shows when its query was stored before such checks existed. */
const NOT_CHECKED = 'Not checked yet: materialization_status checks it.'

/** Whether the current compiler checked that the query can be materialized. */
export const isChecked = ({ eligibility }: Pick<Row, 'eligibility'>): boolean =>
  eligibility?.compiler === COMPILER_VERSION

export const hasRows = ({ generation }: Pick<Row, 'generation'>): boolean => generation !== null

export function materializationOf(row: Row): MaterializationRecord {
  const { materializationId: id, materializationError: error } = row
  const isHibernated = row.hibernatedAt !== null
  if (id !== null && !isHibernated) {
    const status = row.materializationStatus ?? 'Unknown'
    return {
      name: row.name,
      enabled: true,
      ready: hasRows(row),
      hibernated: false,
      can_materialize: true,
      status,
      last_materialized_at: toApiTimestampOrNull(row.lastMaterializedAt),
      // After a completed build, an earlier error is obsolete.
      error: status === 'Completed' ? '' : (error ?? ''),
      saved_query_id: id,
    }
  }
  const reason = row.eligibility ? row.eligibility.reason : NOT_CHECKED
  return {
    name: row.name,
    enabled: false,
    ready: false,
    hibernated: isHibernated,
    can_materialize: reason === null,
    reason,
  }
}
