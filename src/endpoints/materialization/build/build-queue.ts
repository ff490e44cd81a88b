// What travels on the queue of builds: which version is due. Everything else is read when its turn comes, so that a message which comes late,
// or twice, does no harm.
import { within } from '../../../deadline'
import type { Deps } from '../../../deps'

export interface BuildMessage {
  projectId: number
  versionId: string
}

/** Messages that the queue takes at once. */
const MAX_BATCH = 100

/** How long the queue may take. */
const DEADLINE_MS = 5_000

export async function sendBuilds(
  { BUILDS }: Pick<Env, 'BUILDS'>,
  messages: readonly BuildMessage[],
): Promise<void> {
  for (let from = 0; from < messages.length; from += MAX_BATCH) {
    const batch = messages.slice(from, from + MAX_BATCH).map((body) => ({ body }))
    await within(BUILDS.sendBatch(batch), DEADLINE_MS)
  }
}

/** Has versions built once the response is on its way. A message that is lost is sent again by the minute's trigger. */
export function requestBuilds(
  { env, afterResponse }: Pick<Deps, 'env' | 'afterResponse'>,
  messages: readonly BuildMessage[],
): void {
  if (messages.length > 0) afterResponse(() => sendBuilds(env, messages))
}
