import * as z from 'zod'
import { invalid } from '../../errors'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { orEmpty } from '../../http/plain-bodies'
import { ChatLink, LinkCandidate, linkExample, listLinkable, listLinks, unlink } from '../chat/links'
import { startLink } from '../chat/link-start'
import { targetUserId } from '../users/target-user'

const path = '/api/users/:uuid/integrations/'
const targetUser = { staff: true } as const

export const linkableWorkspacesOperation = operation({
  id: 'users_integrations_chat_linkable_workspaces_retrieve',
  method: 'get',
  path: `${path}chat/linkable_workspaces/`,
  summary: 'List the chat workspaces that a user can link',
  description:
    'One entry for each project and connected workspace, without workspaces that the user has linked. A key gets those of projects that it has access to.',
  scope: 'user:read',
  targetUser,
  responses: { 200: z.object({ results: z.array(LinkCandidate) }) },
  handle: async (context) => ({
    results: await listLinkable(context.deps, context.actor, await targetUserId(context)),
  }),
})

export const linkableWorkspacesDocs = (): OperationDocs => ({
  response: {
    description: 'The chat workspaces that a user can link, among the first 100, without pagination.',
    fields: { results: 'The workspaces, in the order of connection.' },
    example: {},
  },
})

export const startChatLinkOperation = operation({
  id: 'users_integrations_chat_start_create',
  method: 'post',
  path: `${path}chat/start/`,
  summary: 'Start linking a chat identity',
  description:
    'Open the returned URL within 15 minutes in a browser with the session of the user: it leads to the provider and back, and stores ' +
    'the link. Rejected for a workspace that is not connected to the project, that is linked, or whose flag `chat-app-oauth` is off.',
  scope: 'user:write',
  targetUser,
  body: orEmpty(
    z.object({
      team_id: z
        .unknown()
        .optional()
        .meta({ type: ['integer', 'string', 'null'] }),
      chat_team_id: z.string().nullable().optional(),
    }),
  ),
  responses: { 200: z.object({ install_url: z.url() }) },
  async handle(context) {
    const { actor, body, deps, url } = context
    const request = { teamId: body.team_id, chatTeamId: body.chat_team_id || null }
    return { install_url: await startLink(deps, actor, await targetUserId(context), request, url.origin) }
  },
})

export const startChatLinkDocs = (): OperationDocs => ({
  body: {
    description: 'The workspace to link. Optional.',
    fields: {
      team_id:
        'Id of the project, as a number or a string of digits. Default: the current project of the user.',
      chat_team_id: 'Id of the workspace at the chat provider. Default: the first one of the project.',
    },
    example: {},
  },
  response: {
    description: 'Where to continue.',
    fields: {
      install_url: 'URL on this service, for a browser with the session of the user. Valid for 15 minutes.',
    },
    example: {
      install_url:
        'https://halyard.example.com/complete/chat-link/start/?state=eyJ1c2VyIjoxLCJwcm9qZWN0IjoxLCJ3b3Jrc3BhY2UiOiJUMDEyMzQ1Njc4OSIsImV4cCI6MTc3NTAzNDAwMH0.5c2d1f0e9b8a7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d',
    },
  },
  tool: { isAdditive: true },
  sample: { needs: ['WORKSPACE'], body: { chat_team_id: 'T$N' } },
})

export const listIntegrationsOperation = operation({
  id: 'users_integrations_list',
  method: 'get',
  path,
  summary: 'List the links of a user',
  description:
    'Oldest first. `kind` defaults to `github`, which this service does not have. A key gets those of workspaces of projects that it has access to.',
  scope: 'user:read',
  targetUser,
  query: z.object({ kind: z.string().default('github') }),
  responses: { 200: z.object({ results: z.array(ChatLink) }) },
  async handle(context) {
    const { kind } = context.query
    const userId = await targetUserId(context)
    switch (kind) {
      case 'chat':
        return { results: await listLinks(context.deps.db, context.actor, userId) }
      case 'github':
        return { results: [] }
      default:
        throw invalid(null, `Unsupported integration kind: '${kind}'`)
    }
  },
})

export const listIntegrationsDocs = (): OperationDocs => ({
  parameters: {
    kind: { description: '`chat` or `github`. The list of `github` is always empty.', example: 'chat' },
  },
  response: {
    description: 'All links of one kind, without pagination.',
    fields: { results: 'The links, oldest first.' },
    example: {},
  },
  sample: { query: { kind: 'chat' } },
})

export const unlinkChatOperation = operation({
  id: 'users_integrations_chat_destroy',
  method: 'delete',
  path: `${path}chat/:chat_user_id/`,
  summary: 'Delete the link to a chat identity',
  scope: 'user:write',
  targetUser,
  params: z.object({ chat_user_id: z.string() }),
  responses: { 204: 'empty' },
  handle: async (context) =>
    unlink(context.deps.db, context.actor, await targetUserId(context), context.params.chat_user_id),
})

export const unlinkChatDocs = (): OperationDocs => ({
  parameters: {
    chat_user_id: { description: '`chat_user_id` of the link.', example: linkExample().chat_user_id },
  },
})
