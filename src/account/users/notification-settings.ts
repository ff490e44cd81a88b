// Notification settings of a user (docs/reference/accounts.md#profile).
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { invalid } from '../../errors'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { project } from '../../http/docs/examples'
import { typeWords, valueText } from '../../http/value-words'

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

/** Returns the schema of a setting: the type of its default. */
const schemaOf = (key: string, usual: unknown) => {
  if (typeof usual === 'number') {
    const outside = {
      error: ({ input }: { input?: unknown }) => `${key} must be between 0.0 and 1.0, got ${String(input)}`,
    }
    return z
      .number({ error: ({ input }) => `${key} must be a number, got ${typeWords(input)}` })
      .min(0, outside)
      .max(1, outside)
  }
  if (typeof usual === 'boolean')
    return z.boolean({
      error: ({ input }) =>
        `${valueText(input)} is not a valid type for notification settings, should be true or false`,
    })
  const value = z.boolean({
    error: ({ input }) => `Notification setting values must be boolean, got ${typeWords(input)}`,
  })
  return z.record(z.string(), value, { error: `${key} must be an object that maps ids to true or false` })
}

export const NotificationSettings = z
  .object(Object.fromEntries(Object.entries(DEFAULTS).map(([key, usual]) => [key, schemaOf(key, usual)])))
  .meta({ id: 'NotificationSettings' })

export const NotificationSettingsDocs = (): SchemaDocs => ({
  description: 'Which notifications a user gets. Stored for clients: this service sends no email.',
  fields: {
    plugin_disabled: 'When a plugin was disabled after failures. Default true.',
    discussions_mentioned: 'When the user is mentioned. Default true.',
    project_weekly_digest_disabled: 'By project id: true to disable the weekly digest. Default none.',
    all_weekly_digest_disabled: 'True disables all weekly digests. Default false.',
    error_tracking_issue_assigned: 'When an error is assigned to the user. Default true.',
    error_tracking_weekly_digest: 'Weekly digest of errors. Default true.',
    data_pipeline_error_threshold:
      'Share of failed pipeline runs that triggers a notification, 0 to 1. Default 0.01.',
    project_api_key_exposed: 'When a key was found in a public place. Default true.',
    materialized_view_sync_failed: 'When a materialized view failed to refresh. Default false.',
    web_analytics_weekly_digest: 'Weekly digest of web traffic. Default true.',
    organization_member_join_email_disabled:
      'By organization id: true to disable notifications of new members. Default none.',
  },
  example: { ...DEFAULTS, project_weekly_digest_disabled: { [project.id]: true } },
})

/** Kinds of real-time notification, in upstream's order. */
export const REALTIME_NOTIFICATIONS = [
  'comment_mention',
  'alert_firing',
  'approval_requested',
  'approval_resolved',
  'pipeline_failure',
  'issue_assigned',
] as const

export const notificationSettingsFrom = (chosen: Record<string, unknown>) =>
  ({ ...DEFAULTS, ...chosen }) as z.output<typeof NotificationSettings>

const settingsError = (detail: string) => invalid('notification_settings', detail)

/**
 * @throws 400 for an unknown key, and for a value of another type than its default.
 */
export const checkNotificationSettings = (sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sent).map(([key, value]) => {
      if (!Object.hasOwn(DEFAULTS, key))
        throw settingsError(`Key ${key} is not valid as a key for notification settings`)
      const { data, error } = NotificationSettings.shape[key]!.safeParse(value)
      if (error) throw settingsError(error.issues[0]!.message)
      return [key, data]
    }),
  )

/** SQL of the stored settings merged with `sent`. Maps are merged by key. */
export const patchedSettings = (sent: Record<string, unknown>) =>
  sql`json_patch(notification_settings, ${JSON.stringify(sent)})`
