// What the activity log says of a change of a webhook.
import type { ActivityVerb, Change } from '../activity/entry'
import { recordActivity } from '../activity/record'
import type { Actor, Project } from '../auth/actor'
import type { Deps } from '../deps'
import type { WebhookRecord } from './webhook-record'

export interface WebhookContext {
  deps: Deps
  actor: Actor
  project: Project
}

/** Returns the statement of an activity entry. It names the host alone, because the rest of a URL is often a secret. */
export const entryOf = (
  { deps, actor, project }: WebhookContext,
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

export const hostOf = (url: string) => new URL(url).host

export const changeOf = (field: string, before: unknown, after: unknown): Change => ({
  type: 'Webhook',
  action: 'changed',
  field,
  before,
  after,
})
