// The entries of the activity log to which webhooks can subscribe.
import * as z from 'zod'
import type { ActivityScope, ActivityVerb } from '../activity/entry'

const WRITES: readonly ActivityVerb[] = ['created', 'updated', 'deleted', 'restored']

/** The verbs that the log records about each kind of item of a project. */
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

export const eventsField = () =>
  z
    .array(
      z.string().refine((event) => EVENTS.has(event), {
        error: ({ input }) => `"${String(input).slice(0, 60)}" is not an event. Valid are ${validEvents()}.`,
      }),
    )
    .min(1)
    .max(MAX_EVENTS)
    .transform((events) => [...new Set(events)])

/** The kinds of item that events are about. */
export const EVENT_KINDS = Object.keys(VERBS)

/** Names the valid events in a sentence. */
const validEvents = (): string =>
  `\`*\`, \`KIND.*\` or \`KIND.ACTIVITY\`. ${Object.entries(VERBS)
    .map(([scope, verbs]) => `${scope}: ${verbs.join(', ')}`)
    .join('; ')}`
