// What a user is told about, with the defaults of the reference (reference/account-api.md §1.2, §8.2).
import * as z from 'zod'
import { invalid } from '../errors'
import { pythonType } from '../http/validation'

const DEFAULTS: Readonly<Record<string, unknown>> = {
  plugin_disabled: true,
  discussions_mentioned: true,
  project_weekly_digest_disabled: {},
  all_weekly_digest_disabled: false,
  error_tracking_issue_assigned: true,
  error_tracking_weekly_digest: true,
  data_pipeline_error_threshold: 0.01,
  project_api_key_exposed: true,
  materialized_view_sync_failed: false,
  web_analytics_weekly_digest: true,
  organization_member_join_email_disabled: {},
}

const schemaOf = (usual: unknown) => {
  if (typeof usual === 'number') return z.number().min(0).max(1)
  return typeof usual === 'boolean' ? z.boolean() : z.record(z.string(), z.boolean())
}

/** All settings, as a user's record shows them. */
export const NotificationSettings = z
  .object(Object.fromEntries(Object.entries(DEFAULTS).map(([key, usual]) => [key, schemaOf(usual)])))
  .meta({ id: 'NotificationSettings' })

/** The kinds of notification that are shown at once, in the reference's order. */
export const REALTIME_NOTIFICATIONS = [
  'comment_mention',
  'alert_firing',
  'approval_requested',
  'approval_resolved',
  'pipeline_failure',
  'issue_assigned',
] as const

/** What is stored, laid over the defaults. */
export const notificationSettingsFrom = (chosen: Record<string, unknown>) =>
  ({ ...DEFAULTS, ...chosen }) as z.output<typeof NotificationSettings>

const refuse = (detail: string) => invalid('notification_settings', detail)

/**
 * Checks settings that were sent. What they hold is laid over what is stored: maps item by item.
 * @throws 400 for a key that does not exist, and for a value of another kind than its default.
 */
export function checkNotificationSettings(sent: Record<string, unknown>): Record<string, unknown> {
  for (const [key, value] of Object.entries(sent)) {
    if (!Object.hasOwn(DEFAULTS, key))
      throw refuse(`Key ${key} is not valid as a key for notification settings`)
    checkValue(DEFAULTS[key], value)
  }
  return sent
}

function checkValue(usual: unknown, value: unknown): void {
  if (typeof usual === 'number') {
    if (typeof value !== 'number' || value < 0 || value > 1) {
      throw refuse('The error threshold must be a number between 0 and 1')
    }
  } else if (typeof usual === 'boolean') requireBoolean(value)
  else if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw refuse(`Notification setting values must be a map, got <class '${pythonType(value)}'> instead`)
  } else Object.values(value).forEach(requireBoolean)
}

function requireBoolean(value: unknown): void {
  if (typeof value === 'boolean') return
  throw refuse(`Notification setting values must be boolean, got <class '${pythonType(value)}'> instead`)
}
