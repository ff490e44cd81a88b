import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { createWebhook } from '../create-webhook'
import { deleteWebhook } from '../delete-webhook'
import { getWebhook, listWebhooks } from '../read-webhooks'
import { rotateSecret } from '../rotate-secret'
import { testWebhook, WebhookTest } from '../test-webhook'
import { updateWebhook } from '../update-webhook'
import { WebhookBody, WebhookUpdate } from '../webhook-body'
import { secretExample, WEBHOOK_ID, WebhookRecord } from '../webhook-record'

const PATH = '/api/projects/:project_id/webhooks/'

const params = z.object({ id: z.string() })

const webhookParameter = () => ({ id: { description: 'Id of the webhook.', example: WEBHOOK_ID } })

export const listWebhooksOperation = operation({
  id: 'webhooks_list',
  method: 'get',
  path: PATH,
  summary: 'List the webhooks of a project',
  description: 'Oldest first.',
  scope: 'webhook:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(WebhookRecord) },
  handle: ({ deps, project, query, url }) => listWebhooks(deps, project.id, query, url),
})

export const createWebhookOperation = operation({
  id: 'webhooks_create',
  method: 'post',
  path: PATH,
  summary: 'Create a webhook',
  description: 'Posts each change to a URL. The response has the secret of the signatures, once.',
  scope: 'webhook:write',
  // Messages are entries of the activity log, so that who creates a webhook must be allowed to read it.
  alsoScope: 'activity_log:read',
  body: WebhookBody,
  responses: { 201: WebhookRecord },
  handle: (context) => createWebhook(context, context.body),
})

export const createWebhookDocs = (): OperationDocs => ({
  response: { example: { secret: secretExample } },
})

export const retrieveWebhookOperation = operation({
  id: 'webhooks_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a webhook',
  scope: 'webhook:read',
  params,
  responses: { 200: WebhookRecord },
  handle: ({ deps, project, params: { id } }) => getWebhook(deps, project.id, id),
})

export const retrieveWebhookDocs = (): OperationDocs => ({
  parameters: webhookParameter(),
  // The tool of the list returns all fields.
  tool: { isDuplicate: true },
})

export const updateWebhookOperation = operation({
  id: 'webhooks_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Change, pause or start a webhook',
  scope: 'webhook:write',
  // Messages are entries of the activity log, so that who changes a webhook must be allowed to read it.
  alsoScope: 'activity_log:read',
  params,
  body: WebhookUpdate,
  responses: { 200: WebhookRecord },
  handle: (context) => updateWebhook(context, context.params.id, context.body),
})

export const updateWebhookDocs = (): OperationDocs => ({
  parameters: webhookParameter(),
  response: { example: { active: false } },
  tool: { fieldsAs: 'webhooks-create' },
})

export const deleteWebhookOperation = operation({
  id: 'webhooks_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Delete a webhook',
  description: 'Pending deliveries are dropped.',
  scope: 'webhook:write',
  params,
  responses: { 204: 'empty' },
  handle: (context) => deleteWebhook(context, context.params.id),
})

export const deleteWebhookDocs = (): OperationDocs => ({
  parameters: webhookParameter(),
  // The tool of the update can pause a webhook.
  tool: { isDuplicate: true },
})

export const rotateSecretOperation = operation({
  id: 'webhooks_rotate_secret_create',
  method: 'post',
  path: `${PATH}:id/rotate_secret/`,
  summary: 'Replace the secret of a webhook',
  description: 'The response has the new secret, once. For 24 hours, messages are signed with both.',
  scope: 'webhook:write',
  params,
  responses: { 200: WebhookRecord },
  handle: (context) => rotateSecret(context, context.params.id),
})

export const rotateSecretDocs = (): OperationDocs => ({
  parameters: webhookParameter(),
  response: { example: { secret: secretExample } },
  // The tools of MCP leave this out, because people give the secret to the receiver.
  tool: { isDuplicate: true },
})

export const testWebhookOperation = operation({
  id: 'webhooks_test_create',
  method: 'post',
  path: `${PATH}:id/test/`,
  summary: 'Send a sample to a webhook',
  description: 'Waits up to 10 seconds for the receiver. The type of the sample is `test`.',
  scope: 'webhook:write',
  throttles: [{ name: 'webhook_test', calls: 30, seconds: 600 }],
  params,
  responses: { 200: WebhookTest },
  handle: ({ deps, project, params: { id } }) => testWebhook(deps, project.id, id),
})

export const testWebhookDocs = (): OperationDocs => ({
  parameters: webhookParameter(),
  // The tools of MCP leave this out, because people set up the receiver.
  tool: { isDuplicate: true },
})
