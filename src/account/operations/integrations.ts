import * as z from 'zod'
import { userOf } from '../../auth/actor'
import { ErrorBody } from '../../http/error-body'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import {
  ConnectBody,
  connectWorkspace,
  disconnectWorkspace,
  integrationFrom,
  selectIntegrations,
  WorkspaceIntegration,
} from '../chat/connect'

const path = '/api/projects/:project_id/integrations/'

export const listProjectIntegrationsOperation = operation({
  id: 'integrations_list',
  method: 'get',
  path,
  summary: 'List the chat workspaces that a project is connected to',
  scope: 'integration:read',
  responses: { 200: z.object({ results: z.array(WorkspaceIntegration) }) },
  handle: async ({ deps, project }) => ({
    results: (await selectIntegrations(deps.db, project.id)).map(integrationFrom),
  }),
})

export const createIntegrationOperation = operation({
  id: 'integrations_create',
  method: 'post',
  path,
  summary: 'Connect a project to a chat workspace',
  description:
    'For admins, once the chat app is installed in the workspace: members can then link who they are there. Connecting again renews ' +
    'name and scopes.',
  scope: 'integration:write',
  body: ConnectBody,
  responses: { 201: WorkspaceIntegration, 400: ErrorBody },
  handle: ({ deps, actor, project, body }) => connectWorkspace(deps, userOf(actor)!, project, body),
})

export const deleteIntegrationOperation = operation({
  id: 'integrations_destroy',
  method: 'delete',
  path: `${path}:id/`,
  summary: 'Disconnect a chat workspace',
  description: 'For admins. What users are linked to stays theirs.',
  scope: 'integration:write',
  params: z.object({ id: id() }),
  responses: { 204: 'empty', 404: ErrorBody },
  handle: ({ deps, actor, project, params }) => disconnectWorkspace(deps, userOf(actor)!, project, params.id),
})
