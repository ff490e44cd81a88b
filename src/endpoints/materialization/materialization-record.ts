// What is said of a version's materialization (reference/endpoints-api.md §5.6, §5.7).
import { shownWithOffsetOrNull } from '../../timestamps'
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

/** For a version that was written before queries were checked. */
const NOT_CHECKED = 'Not checked yet: materialization_status checks it.'

/** Whether a version's query has been checked as it would be today. */
export const isChecked = ({ eligibility }: Pick<Row, 'eligibility'>): boolean =>
  eligibility?.compiler === COMPILER_VERSION

/** Whether runs can read rows that are kept: the table is there. */
export const hasRows = ({ generation }: Pick<Row, 'generation'>): boolean => generation !== null

/** What a record says of the version of the row. */
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
      last_materialized_at: shownWithOffsetOrNull(row.lastMaterializedAt),
      // What went wrong once is of no interest any more.
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
