// The bodies that create and change webhooks.
import * as z from 'zod'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { boolean, text } from '../http/fields'
import { MAX_URL_LENGTH } from '../http/public-url'
import { EVENT_KINDS, eventsField } from './events'
import { webhookExample } from './webhook-record'

export const WebhookBody = z
  .object({
    url: text({ max: MAX_URL_LENGTH }),
    events: eventsField(),
    description: text({ max: 1000, blank: true }).optional().meta({ default: '' }),
    active: boolean().optional().meta({ default: true }),
  })
  .meta({ id: 'WebhookBody' })

const bodyFields = () => ({
  url: `Address, at most ${MAX_URL_LENGTH} characters: \`https://\` on a public host.`,
  events: `Changes to send: \`*\`, \`FeatureFlag.*\` or \`FeatureFlag.updated\`. Kinds: ${EVENT_KINDS.join(', ')}.`,
  description: 'Purpose, at most 1,000 characters.',
  active: 'Whether it gets messages.',
})

const bodyExample = () => {
  const { url, description, events } = webhookExample()
  return { url, events, description }
}

export const WebhookBodyDocs = (): SchemaDocs => ({
  description: 'A webhook to create.',
  fields: bodyFields(),
  example: bodyExample(),
})

export const WebhookUpdate = WebhookBody.extend({
  description: text({ max: 1000, blank: true }),
  active: boolean(),
})
  .partial()
  .meta({ id: 'WebhookUpdate' })

export const WebhookUpdateDocs = (): SchemaDocs => ({
  description: 'Fields of a webhook to change; absent ones stay the same.',
  fields: {
    ...bodyFields(),
    active: 'False pauses it: what is not delivered yet fails. True starts it again.',
  },
  example: { active: false },
})
