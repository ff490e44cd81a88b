// Whether a version's rows are kept ready, or could be (reference/endpoints-api.md §5.7).
import { invalid } from '../../errors'

export interface MaterializationState {
  enabled: boolean
  ready: boolean
  hibernated: boolean
  can_materialize: boolean
  reason: string | null
}

const NOT_OFFERED = 'Materialization is not available on this service.'

/** The state of a version. Nothing is materialized yet, and nothing can be. */
export const materializationOf = (): MaterializationState => ({
  enabled: false,
  ready: false,
  hibernated: false,
  can_materialize: false,
  reason: NOT_OFFERED,
})

/** @throws 400: what a caller is told who asks for a version to be materialized. */
export function checkMaterializable(): void {
  const { can_materialize: can, reason } = materializationOf()
  if (!can) throw invalid(null, `Cannot materialize endpoint. Reason: ${reason}`)
}
