import * as z from 'zod'
import { invalid } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { orEmpty } from '../../http/plain-bodies'
import { LinkCandidate, listLinkable } from '../chat/linkable'
import { ChatLink, listLinks, unlink } from '../chat/links'
import { startLink } from '../chat/start'
import { subjectId } from '../find-subject'

const path = '/api/users/:uuid/integrations/'
const subject = { staff: true } as const

export const linkableWorkspacesOperation = operation({
  id: 'users_integrations_chat_linkable_workspaces_retrieve',
  method: 'get',
  path: `${path}chat/linkable_workspaces/`,
  summary: 'List the chat workspaces that a user could link',
  description:
    'Workspaces of the projects in reach, one entry for each project that is connected, without those that the user is linked to.',
  scope: 'user:read',
  subject,
  responses: { 200: z.object({ results: z.array(LinkCandidate) }) },
  handle: async (context) => ({
    results: await listLinkable(context.deps, await subjectId(context)),
  }),
})

export const startChatLinkOperation = operation({
  id: 'users_integrations_chat_start_create',
  method: 'post',
  path: `${path}chat/start/`,
  summary: 'Start to link a chat workspace',
  description:
    'Open the URL in the browser in which the user is signed in: it leads through the chat provider, and back to a page that records ' +
    'the link. It is good for 15 minutes. Refused where the project has no such workspace, where the flag `chat-app-oauth` of the project is ' +
    'off for it, and for a workspace that the user is linked to.',
  scope: 'user:write',
  subject,
  body: orEmpty(
    z.object({
      team_id: z
        .unknown()
        .optional()
        .meta({ type: ['integer', 'string', 'null'] }),
      chat_team_id: z.string().nullable().optional(),
    }),
  ),
  responses: { 200: z.object({ install_url: z.url() }), 400: ErrorBody },
  async handle(context) {
    const { body, deps, url } = context
    const request = { teamId: body.team_id, chatTeamId: body.chat_team_id || null }
    return { install_url: await startLink(deps, await subjectId(context), request, url.origin) }
  },
})

export const listIntegrationsOperation = operation({
  id: 'users_integrations_list',
  method: 'get',
  path,
  summary: 'List what a user is linked to',
  description: 'Oldest first. `kind` is `github` when left out, of which there are none here.',
  scope: 'user:read',
  subject,
  query: z.object({ kind: z.string().default('github') }),
  responses: { 200: z.object({ results: z.array(ChatLink) }), 400: ErrorBody },
  async handle(context) {
    const { kind } = context.query
    const userId = await subjectId(context)
    switch (kind) {
      case 'chat':
        return { results: await listLinks(context.deps.db, userId) }
      case 'github':
        return { results: [] }
      default:
        throw invalid(null, `Unsupported integration kind: '${kind}'`)
    }
  },
})

export const unlinkChatOperation = operation({
  id: 'users_integrations_chat_destroy',
  method: 'delete',
  path: `${path}chat/:chat_user_id/`,
  summary: 'Take a link to a chat identity back',
  scope: 'user:write',
  subject,
  params: z.object({ chat_user_id: z.string() }),
  responses: { 204: 'empty', 404: ErrorBody },
  handle: async (context) => unlink(context.deps.db, await subjectId(context), context.params.chat_user_id),
})
