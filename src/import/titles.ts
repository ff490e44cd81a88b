// Titles of what an import moves.
import type { Kind, Stream } from './model'

export const KIND_TITLES: Record<Kind, string> = {
  group_type: 'Group types',
  event_definition: 'Definitions of events',
  property_definition: 'Definitions of properties',
  variable: 'Variables',
  cohort: 'Cohorts',
  flag: 'Flags',
  query: 'Saved queries',
  dashboard: 'Dashboards',
  scheduled_change: 'Scheduled changes',
  webhook: 'Webhooks',
  project: 'Settings of the project',
  approval_policy: 'Approval policies',
}

export const STREAM_TITLES: Record<Stream, string> = {
  event: 'Events',
  group: 'Groups',
  person: 'Persons',
}
