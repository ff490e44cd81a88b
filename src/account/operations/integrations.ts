import * as z from 'zod'
import { userOf } from '../../auth/actor'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import {
  ConnectBody,
  connectWorkspace,
  disconnectWorkspace,
  integrationExample,
  listIntegrations,
  scopesText,
  WorkspaceIntegration,
} from '../chat/workspace-integration'

const path = '/api/projects/:project_id/integrations/'

export const listProjectIntegrationsOperation = operation({
  id: 'integrations_list',
  method: 'get',
  path,
  summary: 'List the chat workspaces of a project',
  scope: 'integration:read',
  responses: { 200: z.object({ results: z.array(WorkspaceIntegration) }) },
  handle: async ({ deps, project }) => ({ results: await listIntegrations(deps.db, project.id) }),
})

export const listProjectIntegrationsDocs = (): OperationDocs => ({
  response: {
    description: 'All connected chat workspaces, without pagination.',
    fields: { results: 'The workspaces, in the order of connection.' },
    example: {},
  },
})

export const createIntegrationOperation = operation({
  id: 'integrations_create',
  method: 'post',
  path,
  summary: 'Connect a project to a chat workspace',
  description:
    'For admins, after installing the chat app in the workspace. Members can then link their identities. Connecting again updates name and ' +
    'scopes.',
  scope: 'integration:write',
  body: ConnectBody,
  responses: { 201: WorkspaceIntegration },
  handle: ({ deps, actor, project, body }) => connectWorkspace(deps, userOf(actor)!, project, body),
})

export const createIntegrationDocs = (): OperationDocs => ({
  body: {
    description: 'The chat workspace to connect.',
    fields: {
      kind: 'Always `chat`.',
      config: 'The workspace.',
      'config.chat_team_id': 'Id of the workspace at the chat provider, at most 64 characters.',
      'config.chat_team_name': 'Name of the workspace, at most 200 characters. Optional.',
      'config.scopes': `${scopesText} At most 100, each at most 64 characters. Optional.`,
    },
    example: { kind: 'chat', config: integrationExample().config },
  },
  tool: { isAdditive: false },
  sample: { body: { kind: 'chat', config: { chat_team_id: 'T$N', chat_team_name: 'Harbour' } } },
})

export const deleteIntegrationOperation = operation({
  id: 'integrations_destroy',
  method: 'delete',
  path: `${path}:id/`,
  summary: 'Disconnect a chat workspace',
  description: 'For admins. Links of users stay.',
  scope: 'integration:write',
  params: z.object({ id: id() }),
  responses: { 204: 'empty' },
  handle: ({ deps, actor, project, params }) => disconnectWorkspace(deps, userOf(actor)!, project, params.id),
})

export const deleteIntegrationDocs = (): OperationDocs => ({
  parameters: { id: { description: 'Id of the connection.', example: integrationExample().id } },
})
