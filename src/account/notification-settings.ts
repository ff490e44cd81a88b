// What a user is told about, with the defaults of the reference (reference/account-api.md §8.2).

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
export const notificationSettingsFrom = (chosen: Record<string, unknown>): Record<string, unknown> => ({
  ...DEFAULTS,
  ...chosen,
})
