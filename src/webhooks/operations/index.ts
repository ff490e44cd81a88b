import type { Operation } from '../../http/operation'
import { listDeliveriesOperation, redeliverOperation } from './deliveries'
import * as webhooks from './webhooks'

export const webhookOperations: readonly Operation[] = [
  webhooks.listWebhooksOperation,
  webhooks.createWebhookOperation,
  webhooks.retrieveWebhookOperation,
  webhooks.updateWebhookOperation,
  webhooks.deleteWebhookOperation,
  webhooks.rotateSecretOperation,
  webhooks.testWebhookOperation,
  listDeliveriesOperation,
  redeliverOperation,
]
