import type { GroupDocs } from '../../http/docs/operation-docs'
import { aDelivery, aWebhook } from '../../http/docs/sample-setup'
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

export const webhookOperationsDocs = (): GroupDocs => ({
  samples: [
    [/\/deliveries\/:id\//, { before: aDelivery, path: { webhook_id: '$WEBHOOK', id: '$DELIVERY' } }],
    [/^/, { before: [aWebhook], path: { id: '$WEBHOOK', webhook_id: '$WEBHOOK' } }],
  ],
})
