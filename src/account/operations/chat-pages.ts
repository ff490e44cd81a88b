import * as z from 'zod'
import { beginSignIn, completeSignIn } from '../chat/complete'
import {
  CALLBACK_PATH,
  LinkRefused,
  START_PATH,
  toFailure,
  toLoginAfterAll,
  toLoginAndOn,
  toProvider,
  toSuccess,
} from '../chat/paths'
import { signedIn } from '../signed-in'
import type { SessionActor } from '../../auth/actor'
import { operation } from '../../http/operation'

/** Runs a step for whoever is signed in. A refusal leads to the settings page. */
async function step(
  context: Parameters<typeof signedIn>[0],
  anonymous: () => Response,
  take: (session: SessionActor) => Promise<Response>,
): Promise<Response> {
  const session = await signedIn(context, 'open')
  if (!session) return anonymous()
  try {
    return await take(session)
  } catch (error) {
    if (error instanceof LinkRefused) return toFailure(error.failure)
    throw error
  }
}

export const startPageOperation = operation({
  id: 'chat_link_start',
  method: 'get',
  path: START_PATH,
  summary: 'Go to the chat provider to sign in',
  description:
    'For browsers, with the cookie of a session. Redirects to the provider, or to the settings page with `chat_link_error`: ' +
    '`invalid_state`, `session_mismatch`, `workspace_not_found`, `flag_off`, `not_configured`, `exchange_failed`.',
  scope: null,
  access: 'anybody',
  query: z.object({ state: z.string().optional() }),
  responses: { 302: 'empty' },
  handle: (context) =>
    step(
      context,
      () => toLoginAndOn(context.url),
      async (session) => toProvider(await beginSignIn(context.deps, session, context.url)),
    ),
})

export const callbackPageOperation = operation({
  id: 'chat_link_callback',
  method: 'get',
  path: CALLBACK_PATH,
  summary: 'Come back from the chat provider',
  description:
    'For browsers, with the cookie of the session that set out. Redirects to the settings page, with `chat_link_success=1` or with ' +
    "`chat_link_error`: the provider's own code, or `invalid_state`, `session_mismatch`, `workspace_not_found`, `flag_off`, " +
    '`not_configured`, `exchange_failed`, `team_mismatch`, `org_mismatch`.',
  scope: null,
  access: 'anybody',
  query: z.object({ state: z.string(), code: z.string(), error: z.string() }).partial(),
  responses: { 302: 'empty' },
  handle: (context) =>
    step(context, toLoginAfterAll, async (session) => {
      await completeSignIn(context.deps, session, context.url)
      return toSuccess()
    }),
})
