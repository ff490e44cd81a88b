// What a user is told about, with the defaults of the reference (reference/account-api.md §1.2, §8.2).
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { invalid } from '../errors'
import { pythonText } from '../http/python-repr'
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
    checkValue(key, value)
  }
  return sent
}

/** What is stored of a user with what was sent laid over it, in SQL. */
export const patchedSettings = (sent: Record<string, unknown>) =>
  sql`json_patch(notification_settings, ${JSON.stringify(sent)})`

function checkValue(key: string, value: unknown): void {
  switch (typeof DEFAULTS[key]) {
    case 'number':
      return requireShare(key, value)
    case 'boolean':
      if (typeof value === 'boolean') return
      throw refuse(
        `${pythonText(value)} is not a valid type for notification settings, should be <class 'bool'>`,
      )
    default:
      requireSwitches(key, value)
  }
}

function requireShare(key: string, value: unknown): void {
  if (typeof value !== 'number') {
    throw refuse(`${key} must be a number, got <class '${pythonType(value)}'> instead`)
  }
  if (value < 0 || value > 1) throw refuse(`${key} must be between 0.0 and 1.0, got ${value}`)
}

function requireSwitches(key: string, value: unknown): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw refuse(`${key} must be a dictionary mapping IDs to boolean values`)
  }
  for (const each of Object.values(value)) {
    if (typeof each === 'boolean') continue
    throw refuse(`Notification setting values must be boolean, got <class '${pythonType(each)}'> instead`)
  }
}
