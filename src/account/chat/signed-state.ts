// Signed tokens of chat linking, for one purpose and for 15 minutes. Nonce and PKCE verifier are keyed digests of the token's id and the
// session: they are never stored, and neither the token nor the database reveals them.
import * as z from 'zod'
import { tokenKeys, tokenKind } from '../signed-token'

export const STATE_SECONDS = 900

const base = {
  user: z.int(),
  project: z.int(),
  workspace: z.string(),
}

const Callback = z.object({ ...base, id: z.string(), session: z.string() })

/** The state of a link that a user has started, and of a sign-in that has been sent to the provider. */
export const START = tokenKind('chat-state:start', z.object(base), STATE_SECONDS)
export const CALLBACK = tokenKind('chat-state:callback', Callback, STATE_SECONDS)

/** Returns nonce and verifier. Both have 64 characters that a URL may contain. */
export function bindingsOf(env: Env, { id, session }: Pick<z.output<typeof Callback>, 'id' | 'session'>) {
  const keys = tokenKeys(env)
  return {
    nonce: keys.digests(`chat-nonce:${id}:${session}`)[0],
    codeVerifier: keys.digests(`chat-verifier:${id}:${session}`)[0],
  }
}
