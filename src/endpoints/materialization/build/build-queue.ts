// Sends builds to the queue of long work.
import type { Deps } from '../../../deps'
import type { BuildWork } from '../../../long-work'
import { sendAll } from '../../../send-all'

export type BuildMessage = Omit<BuildWork, 'kind'>

export const sendBuilds = ({ BUILDS }: Pick<Env, 'BUILDS'>, messages: readonly BuildMessage[]) =>
  sendAll<BuildWork>(
    BUILDS,
    messages.map((message) => ({ kind: 'build', ...message })),
  )

/** Sends the builds to the queue after the response. The minute's trigger sends lost messages again. */
export function requestBuilds(
  { env, afterResponse }: Pick<Deps, 'env' | 'afterResponse'>,
  messages: readonly BuildMessage[],
): void {
  if (messages.length > 0) afterResponse(() => sendBuilds(env, messages))
}
