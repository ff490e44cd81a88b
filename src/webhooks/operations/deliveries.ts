import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { DeliveryQuery, DeliveryRecord, listDeliveries, redeliver } from '../deliveries'
import { WEBHOOK_ID } from '../webhook-record'

const PATH = '/api/projects/:project_id/webhooks/:webhook_id/deliveries/'

const webhookParameter = () => ({ webhook_id: { description: 'Id of the webhook.', example: WEBHOOK_ID } })

export const listDeliveriesOperation = operation({
  id: 'webhooks_deliveries_list',
  method: 'get',
  path: PATH,
  summary: 'List the deliveries of a webhook',
  description: 'Newest first, with the last response of the receiver.',
  scope: 'webhook:read',
  params: z.object({ webhook_id: z.string() }),
  query: DeliveryQuery,
  responses: { 200: pageOf(DeliveryRecord) },
  handle: ({ deps, project, params, query, url }) =>
    listDeliveries(deps, project.id, params.webhook_id, query, url),
})

export const listDeliveriesDocs = (): OperationDocs => ({
  parameters: {
    ...webhookParameter(),
    status: 'Default: all.',
  },
})

export const redeliverOperation = operation({
  id: 'webhooks_deliveries_redeliver_create',
  method: 'post',
  path: `${PATH}:id/redeliver/`,
  summary: 'Send a delivery again',
  description: 'From its first attempt on, with the same `webhook-id`. The webhook must be active.',
  scope: 'webhook:write',
  params: z.object({ webhook_id: z.string(), id: id() }),
  responses: { 200: DeliveryRecord },
  handle: ({ deps, project, params }) => redeliver(deps, project.id, params.webhook_id, params.id),
})

export const redeliverDocs = (): OperationDocs => ({
  parameters: { ...webhookParameter(), id: { description: 'Id of the delivery.', example: 1 } },
  response: { example: { attempts: 0, next_attempt_at: '2026-04-02T09:05:00Z' } },
  // There is no tool, because retries send a delivery again.
  tool: { isDuplicate: true },
})
