// The bodies that create and change webhooks.
import * as z from 'zod'
import type { ActivityScope, ActivityVerb } from '../activity/entry'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { boolean, text } from '../http/fields'
import { MAX_URL_LENGTH } from '../http/public-url'
import { webhookExample } from './webhook-record'

const WRITES: readonly ActivityVerb[] = ['created', 'updated', 'deleted', 'restored']

/** The events: the verbs that the log records about each kind of item of a project. */
const VERBS: Readonly<Partial<Record<ActivityScope, readonly ActivityVerb[]>>> = {
  FeatureFlag: WRITES,
  Cohort: [...WRITES, 'persons_added_manually', 'person_removed_manually'],
  Person: ['deleted'],
  Dashboard: WRITES,
  EventDefinition: ['updated'],
  PropertyDefinition: ['updated'],
  Endpoint: ['created', 'updated', 'version_created', 'deleted'],
  EndpointVersion: ['version_updated'],
  DataWarehouseSavedQuery: ['materialization_enabled', 'materialization_disabled'],
  ApprovalPolicy: ['created', 'updated', 'deleted'],
  ChangeRequest: ['created', 'approved', 'rejected', 'canceled'],
  ScheduledChange: ['created', 'updated', 'deleted'],
  Webhook: ['created', 'updated', 'deleted'],
  Action: WRITES,
  Project: ['updated'],
  InsightVariable: ['created', 'updated', 'deleted'],
}

const ALL = '*'

const EVENTS: ReadonlySet<string> = new Set([
  ALL,
  ...Object.entries(VERBS).flatMap(([scope, verbs]) => [
    `${scope}.*`,
    ...verbs.map((verb) => `${scope}.${verb}`),
  ]),
])

/** The most events of one webhook. There are fewer kinds of event. */
const MAX_EVENTS = 50

const eventsField = () =>
  z
    .array(
      z.string().refine((event) => EVENTS.has(event), {
        error: ({ input }) => `"${String(input).slice(0, 60)}" is not an event. Valid are ${validEvents()}.`,
      }),
    )
    .min(1)
    .max(MAX_EVENTS)
    .transform((events) => [...new Set(events)])

/** Names the valid events in a sentence. */
const validEvents = (): string =>
  `\`*\`, \`KIND.*\` or \`KIND.ACTIVITY\`. ${Object.entries(VERBS)
    .map(([scope, verbs]) => `${scope}: ${verbs.join(', ')}`)
    .join('; ')}`

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
  events: `Changes to send: \`*\`, \`FeatureFlag.*\` or \`FeatureFlag.updated\`. Kinds: ${Object.keys(VERBS).join(', ')}.`,
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
