// Predicts whether a policy holds a change of the user until others approve it, before the page sends the change.
import { useQuery } from '@tanstack/react-query'
import { type Policy, policiesQuery } from '../api/approvals'
import { meQuery } from '../api/queries'

/** Policies change rarely, and the service decides in any case. */
const STALE_MS = 300_000

/** @returns whether every such change is held. A policy that covers only some changes is not known to hold this one. */
export function useHolds(projectId: number, action: Policy['action_key']): boolean {
  const policies = useQuery({ ...policiesQuery(projectId), staleTime: STALE_MS })
  const level = useQuery(meQuery).data?.organization?.membership_level ?? 0
  return (policies.data?.results ?? []).some(
    (policy) =>
      policy.enabled &&
      policy.action_key === action &&
      Object.keys(policy.conditions).length === 0 &&
      !policy.bypass_org_membership_levels.includes(level),
  )
}

/** Fields of a flag that no policy of updates holds: evaluation does not depend on them, or they have a policy of their own. */
const UNHELD: ReadonlySet<string> = new Set(['name', 'tags', 'active'])

/** @returns whether every update of these fields of a flag is held. */
export function useHoldsUpdate(projectId: number, fields: readonly string[]): boolean {
  const areUpdatesHeld = useHolds(projectId, 'feature_flag.update')
  return areUpdatesHeld && fields.some((field) => !UNHELD.has(field))
}

export const HELD_WORDS = 'This change needs approval, and takes effect once it is given.'

export const EACH_HELD_WORDS = 'Each flag needs approval: one request a flag is made.'
