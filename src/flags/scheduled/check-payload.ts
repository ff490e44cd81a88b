// Checks what a scheduled change will do to its flag.
import { apiErrorIn, invalid, notFound } from '../../errors'
import { settings } from '../../settings'
import type { FlagContext } from '../context'
import type { FlagRow } from '../read/rows'
import { readWriteFacts } from '../write/facts'
import { planUpdate } from '../write/plan-update'
import type { ChangePayload } from './payload'
import { updateOf } from './update-of'

/**
 * Plans the change for the flag in its current state, so that a mistake is reported at once. Whether a flag may be enabled or disabled is
 * decided by the run, because it depends on other flags.
 * @throws 400, attr `payload`
 */
export async function checkPayload(
  { deps, actor, project }: FlagContext,
  flag: FlagRow,
  payload: ChangePayload,
) {
  const body = updateOf(payload, flag)
  if (payload.operation === 'update_status') return
  const write = {
    kind: 'update' as const,
    id: flag.id,
    body,
    actor,
    project,
    now: deps.clock.now().getTime(),
  }
  const facts = await readWriteFacts(deps.db, [write], settings(deps.env).maxFlagsPerProject)
  if (!facts) throw notFound()
  try {
    planUpdate(flag, facts[0]!, body)
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (!rejection) throw error
    throw invalid('payload', rejection.detail, rejection.code)
  }
}
