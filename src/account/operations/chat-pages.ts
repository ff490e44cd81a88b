import * as z from 'zod'
import { beginSignIn, completeSignIn } from '../chat/link-steps'
import {
  CALLBACK_PATH,
  LinkError,
  START_PATH,
  toFailure,
  toLoginAfterAll,
  toLoginAndOn,
  toProvider,
  toSuccess,
} from '../chat/paths'
import { optionalSession } from '../sign-in/optional-session'
import type { SessionActor } from '../../auth/actor'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'

/** Runs a step for the session of the request. A LinkError redirects to the settings page. */
async function step(
  context: Parameters<typeof optionalSession>[0],
  anonymous: () => Response,
  take: (session: SessionActor) => Promise<Response>,
): Promise<Response> {
  const session = await optionalSession(context, 'open')
  if (!session) return anonymous()
  try {
    return await take(session)
  } catch (error) {
    if (error instanceof LinkError) return toFailure(error.failure)
    throw error
  }
}

export const startPageOperation = operation({
  id: 'chat_link_start',
  method: 'get',
  path: START_PATH,
  summary: 'Redirect to the chat provider',
  description:
    'For browsers with a session cookie. Redirects to the provider, or to the settings page with `chat_link_error`: ' +
    '`invalid_state`, `session_mismatch`, `workspace_not_found`, `flag_off`, `not_configured`, `exchange_failed`.',
  scope: null,
  access: 'public',
  query: z.object({ state: z.string().optional() }),
  responses: { 302: 'empty' },
  handle: (context) =>
    step(
      context,
      () => toLoginAndOn(context.url),
      async (session) => toProvider(await beginSignIn(context.deps, session, context.url)),
    ),
})

export const startPageDocs = (): OperationDocs => ({
  parameters: { state: 'Signed state from `install_url`.' },
  sample: { as: 'session', query: { state: '$STATE' } },
})

export const callbackPageOperation = operation({
  id: 'chat_link_callback',
  method: 'get',
  changesOnGet: true,
  path: CALLBACK_PATH,
  summary: 'Return from the chat provider',
  description:
    'For browsers with the cookie of the session that started the link. Redirects to the settings page, with `chat_link_success=1` or with ' +
    "`chat_link_error`: the provider's own code, or `invalid_state`, `session_mismatch`, `workspace_not_found`, `flag_off`, " +
    '`not_configured`, `exchange_failed`, `team_mismatch`, `org_mismatch`, or `identity_linked` when the same user id is linked in another workspace.',
  scope: null,
  access: 'public',
  query: z.object({ state: z.string(), code: z.string(), error: z.string() }).partial(),
  responses: { 302: 'empty' },
  handle: (context) =>
    step(context, toLoginAfterAll, async (session) => {
      await completeSignIn(context.deps, session, context.url)
      return toSuccess()
    }),
})

export const callbackPageDocs = (): OperationDocs => ({
  parameters: {
    state: 'Signed state of this sign-in. Valid once, for 15 minutes.',
    code: 'Authorization code of the chat provider.',
    error: 'Error code of the chat provider, passed on to the settings page.',
  },
  sample: { as: 'session', query: { error: 'access_denied' } },
})
