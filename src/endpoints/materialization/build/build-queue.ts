// The build queue. A message only names the version: late and duplicate messages are harmless.
import { within } from '../../../deadline'
import type { Deps } from '../../../deps'

export interface BuildMessage {
  projectId: number
  versionId: string
}

const MAX_BATCH = 100

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

/** Sends the builds to the queue after the response. The minute's trigger sends lost messages again. */
export function requestBuilds(
  { env, afterResponse }: Pick<Deps, 'env' | 'afterResponse'>,
  messages: readonly BuildMessage[],
): void {
  if (messages.length > 0) afterResponse(() => sendBuilds(env, messages))
}
