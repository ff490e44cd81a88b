// The build queue. A message only names the version: late and duplicate messages are harmless.
import type { Deps } from '../../../deps'
import { sendAll } from '../../../send-all'

export interface BuildMessage {
  projectId: number
  versionId: string
}

export const sendBuilds = ({ BUILDS }: Pick<Env, 'BUILDS'>, messages: readonly BuildMessage[]) =>
  sendAll(BUILDS, messages)

/** Sends the builds to the queue after the response. The minute's trigger sends lost messages again. */
export function requestBuilds(
  { env, afterResponse }: Pick<Deps, 'env' | 'afterResponse'>,
  messages: readonly BuildMessage[],
): void {
  if (messages.length > 0) afterResponse(() => sendBuilds(env, messages))
}
