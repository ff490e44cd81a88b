// Lists, creates, updates, rotates and deletes webhooks.
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { webhookDeliveries, webhooks } from '../../drizzle'
import { type Actor, type Project, userOf } from '../auth/actor'
import type { Deps } from '../deps'
import { diff } from '../activity/diff'
import type { ActivityVerb, Change } from '../activity/entry'
import { recordActivity } from '../activity/record'
import { invalid, notFound } from '../errors'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { boolean, text } from '../http/fields'
import type { Page } from '../http/pagination'
import { MAX_URL_LENGTH, publicUrl } from '../http/public-url'
import { guard } from '../storage/database'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { runBatch, runIf } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import { EVENT_KINDS, eventsField } from './events'
import { newSecret, sealSecret } from './secret'
import { selectWebhooks, webhookExample, type WebhookRecord, webhookFrom } from './webhook-record'

/** The most webhooks of one project. */
export const MAX_WEBHOOKS = 10

/** The time for which the previous secret still signs after a rotation. */
const ROTATION_MS = 24 * 3_600_000

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

interface WriteContext {
  deps: Deps
  actor: Actor
  project: Project
  url: URL
}

const own = (projectId: number, id: string) => and(eq(webhooks.projectId, projectId), eq(webhooks.id, id))!

export async function listWebhooks({ db }: Deps, projectId: number): Promise<Page<WebhookRecord>> {
  const rows = await selectWebhooks(db, projectId)
  return { count: rows.length, next: null, previous: null, results: rows.map((row) => webhookFrom(row)) }
}

/** @throws 404 */
export async function getWebhook({ db }: Deps, projectId: number, id: string): Promise<WebhookRecord> {
  const [row] = await selectWebhooks(db, projectId, eq(webhooks.id, id))
  if (!row) throw notFound()
  return webhookFrom(row)
}

/**
 * @returns the webhook with its secret
 * @throws 400 naming the field
 */
export async function createWebhook(
  { deps, actor, project, url }: WriteContext,
  body: z.output<typeof WebhookBody>,
): Promise<WebhookRecord> {
  const { db, env, ids, clock } = deps
  const now = clock.now()
  const id = ids.uuid(now)
  const secret = newSecret()
  const receiver = publicUrl(body.url, env, url)
  const insert = db.insert(webhooks).values({
    id,
    projectId: project.id,
    url: receiver,
    description: body.description ?? '',
    events: body.events,
    secret: await sealSecret(env, secret),
    isActive: body.active ?? true,
    createdById: userOf(actor)?.id ?? null,
    createdAt: toStoredTimestamp(now),
  })
  const [, , [row]] = await runIf(
    db,
    sql`(SELECT count(*) FROM webhooks WHERE project_id = ${project.id}) < ${MAX_WEBHOOKS}`,
    [
      // The entry is written before the webhook, so that the webhook does not receive it.
      entryOf({ deps, actor, project }, { id, url: receiver }, 'created'),
      insert,
      selectWebhooks(db, project.id, eq(webhooks.id, id)),
    ],
    () => invalid(null, `A project has at most ${MAX_WEBHOOKS} webhooks. Delete one to add another.`),
  )
  return webhookFrom(row!, secret)
}

/** Returns the statement that ends pending deliveries of a webhook which is not active. */
export const failPending = ({ db }: Pick<Deps, 'db'>, id: string) =>
  db
    .update(webhookDeliveries)
    .set({ status: 'failed', nextAttemptAt: null, error: 'The webhook was paused.' })
    .where(
      and(
        eq(webhookDeliveries.webhookId, id),
        isNotNull(webhookDeliveries.nextAttemptAt),
        sql`NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ${id} AND w.is_active)`,
      ),
    )

/** @throws 404; 400 naming the field */
export function updateWebhook(
  { deps, actor, project, url }: WriteContext,
  id: string,
  { url: receiver, events, description, active }: z.output<typeof WebhookUpdate>,
): Promise<WebhookRecord> {
  const { db } = deps
  return retryOnConflict(async () => {
    const before = await getWebhook(deps, project.id, id)
    const after = {
      url: receiver === undefined ? before.url : publicUrl(receiver, deps.env, url),
      events: events ?? before.events,
      description: description ?? before.description,
      active: active ?? before.active,
    }
    const changes = changesOf(before, after)
    const entries =
      changes.length > 0 ? [entryOf({ deps, actor, project }, { id, ...after }, 'updated', changes)] : []
    const update = db
      .update(webhooks)
      .set({
        url: after.url,
        events: after.events,
        description: after.description,
        ...(active === undefined ? {} : { isActive: active, pausedAt: null, failingSince: null }),
      })
      .where(own(project.id, id))
    const results = await runBatch(db, [
      guard(db, isUnchanged(project.id, before)),
      // A webhook does not receive its own pausing and starting.
      ...(after.active ? [...entries, update] : [update, ...entries]),
      failPending(deps, id),
      selectWebhooks(db, project.id, eq(webhooks.id, id)),
    ])
    const [row] = results.at(-1) as Awaited<ReturnType<typeof selectWebhooks>>
    return webhookFrom(row!)
  })
}

/**
 * Replaces the secret. The previous one also signs, for a day.
 * @returns the webhook with its new secret
 * @throws 404
 */
export async function rotateSecret(context: EntryContext, id: string): Promise<WebhookRecord> {
  const { deps, project } = context
  const { db, env, clock } = deps
  const secret = newSecret()
  const { url } = await getWebhook(deps, project.id, id)
  const [, , [row]] = await runIf(
    db,
    exists(project.id, id),
    [
      db
        .update(webhooks)
        .set({
          previousSecret: sql`secret`,
          previousSecretExpiresAt: toStoredTimestamp(new Date(clock.now().getTime() + ROTATION_MS)),
          secret: await sealSecret(env, secret),
        })
        .where(own(project.id, id)),
      entryOf(context, { id, url }, 'updated', [changeOf('secret', null, 'replaced')]),
      selectWebhooks(db, project.id, eq(webhooks.id, id)),
    ],
    notFound,
  )
  return webhookFrom(row!, secret)
}

/**
 * Deletes a webhook with its deliveries.
 * @throws 404
 */
export async function deleteWebhook(context: EntryContext, id: string): Promise<void> {
  const { deps, project } = context
  const { url } = await getWebhook(deps, project.id, id)
  await runIf(
    deps.db,
    exists(project.id, id),
    [deps.db.delete(webhooks).where(own(project.id, id)), entryOf(context, { id, url }, 'deleted')],
    notFound,
  )
}

const exists = (projectId: number, id: string) =>
  sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${own(projectId, id)})`

/** A write guard: the webhook is still as it was read. */
const isUnchanged = (projectId: number, { id, url, events, description, active }: WebhookRecord) =>
  sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${own(projectId, id)} AND ${webhooks.url} = ${url}
    AND ${webhooks.description} = ${description} AND ${webhooks.events} = ${JSON.stringify(events)}
    AND ${webhooks.isActive} = ${Number(active)})`

type EntryContext = Pick<WriteContext, 'deps' | 'actor' | 'project'>

/** Returns the statement of an activity entry. It names the host alone, because the rest of a URL is often a secret. */
const entryOf = (
  { deps, actor, project }: EntryContext,
  { id, url }: Pick<WebhookRecord, 'id' | 'url'>,
  verb: ActivityVerb,
  changes: Change[] = [],
) =>
  recordActivity(deps, deps.clock.now(), {
    projectId: project.id,
    actor,
    scope: 'Webhook',
    itemId: id,
    verb,
    name: hostOf(url),
    changes,
  })

const hostOf = (url: string) => new URL(url).host

const changeOf = (field: string, before: unknown, after: unknown): Change => ({
  type: 'Webhook',
  action: 'changed',
  field,
  before,
  after,
})

const urlChange = (before: string, after: string): Change =>
  changeOf('url', before, before === after ? `${after}, another path` : after)

type Terms = Pick<WebhookRecord, 'url' | 'events' | 'description' | 'active'>

const changesOf = (before: Terms, after: Terms): Change[] => [
  ...(before.url === after.url ? [] : [urlChange(hostOf(before.url), hostOf(after.url))]),
  ...diff('Webhook', ['events', 'description', 'active'], before, after),
]
