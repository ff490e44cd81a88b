// Every table of both databases: the owner of its rows, and how long they are stored. The retention guide has it as a table.
import { DEFAULTS } from '../retention/settings'
import { MAIN_POLICIES, type Policy, SHARD_POLICIES } from '../retention/policies'

/** Whose rows a table has, what bounds or ends them, and when the daily trigger deletes them. */
type TableWords = readonly [owner: string, kept: string, pruned?: string]

const FOREVER = 'unlimited'
const EXPIRED = 'deleted after its expiry'
const WITH_FLAG = 'deleted with its flag'
const WITH_ENDPOINT = 'deleted with its saved query'

/** The main database. */
const MAIN: Readonly<Record<string, TableWords>> = {
  organizations: ['itself', FOREVER],
  projects: ['organization', FOREVER],
  users: ['itself', FOREVER],
  organization_memberships: ['organization', 'until the member is removed'],
  organization_invites: ['organization', 'until accepted or deleted', 'deleted {days} after its creation'],
  personal_api_keys: ['user', 'until deleted; 10 a user'],
  scene_personalisations: ['user', 'one for each project and scene; deleted with the membership'],
  push_tokens: ['user', '20 a user'],
  workspace_integrations: ['project', 'until disconnected'],
  chat_links: ['user', 'until unlinked'],
  used_chat_states: ['service', '15 minutes', EXPIRED],
  sessions: ['user', '14 days', EXPIRED],
  login_challenges: ['user', '10 minutes', EXPIRED],
  totp_devices: ['user', 'until turned off; one a user'],
  backup_codes: ['user', 'until used or replaced'],
  throttle_windows: ['service', 'one for each caller and throttle', 'deleted {days} after its start'],
  activity_log: [
    'project or organization',
    'one for each change, also for deleted items',
    'deleted {days} after the change',
  ],
  feature_flags: [
    'project',
    '2,000 live ones',
    'a deleted one is removed {days} after its last change, unless an experiment, an early-access feature, a survey, session recording or another flag refers to it',
  ],
  flag_tags: ['flag', WITH_FLAG],
  flag_evaluation_contexts: ['flag', `${WITH_FLAG}; 50 a flag`],
  flag_dependencies: ['flag', WITH_FLAG],
  flag_cohorts: ['flag', WITH_FLAG],
  flag_dashboards: ['flag', WITH_FLAG],
  experiments: ['project', FOREVER],
  early_access_features: ['project', FOREVER],
  surveys: ['project', FOREVER],
  dashboards: [
    'project',
    'a usage dashboard is deleted with its flag, unless another flag or a scene uses it',
  ],
  dashboard_tiles: ['dashboard', 'deleted with its dashboard'],
  persons: ['project', 'until merged into another'],
  person_distinct_ids: ['person', '10,000 a person'],
  group_types: ['project', '5 a project'],
  groups: ['project', FOREVER],
  cohorts: ['project', FOREVER],
  cohort_members: ['cohort', 'deleted with its cohort or person'],
  flag_hash_key_overrides: ['person', 'one for each flag with continuity; deleted with its person'],
  property_definitions: ['project', '10,000 a project'],
  property_definition_counts: ['project', 'one for each owner of properties; 7 a project'],
  endpoints: ['project', FOREVER, 'a deleted one is removed {days} after its last change'],
  endpoint_versions: [
    'saved query',
    `the newest N; ${WITH_ENDPOINT}`,
    'an older one is deleted when no key has run it for {days}, unless it is materialized',
  ],
  endpoint_materializations: ['saved query', 'until turned off'],
  endpoint_tags: ['saved query', WITH_ENDPOINT],
  query_variables: ['project', 'until deleted'],
  reserve: ['service', '64 rows that sign-ins use in a full database'],
  write_guards: ['service', 'always empty'],
  outbox: ['project', 'until done'],
  applied_events: [
    'project',
    'one for each event that changes people or has its arrival as timestamp',
    'deleted {days} after it arrived',
  ],
}

/** Each analytics shard. */
const SHARD: Readonly<Record<string, TableWords>> = {
  events: ['project', FOREVER, 'deleted {days} after its `timestamp`, unless it sets person properties'],
  event_volumes: ['project', 'deleted with the last event of its name and day'],
  persons: ['project', 'a copy; a merged person leaves a row without properties'],
  person_distinct_ids: ['person', 'a copy'],
  groups: ['project', 'a copy'],
  cohort_people: ['cohort', 'a copy'],
  person_property_history: [
    'person',
    'values that were replaced over 730 days ago are deleted when the property is set again',
  ],
  people_volumes: ['project', '4 a project'],
  endpoint_results: ['project', '1,000 a project', EXPIRED],
  endpoint_logs: ['saved query', '10,000 a saved query', 'deleted {days} after the run'],
  materialized_tables: ['saved query', 'until dropped; 500 MB of rows a project'],
  write_guards: ['service', 'always empty'],
}

/** The setting of events, which have a procedure of their own. */
const EVENTS: Pick<Policy, 'table' | 'days'> = { table: 'events', days: 'EVENTS_RETENTION_DAYS' }

const DATABASES = [
  { binding: 'DB', words: MAIN, policies: MAIN_POLICIES },
  { binding: 'EVENTS', words: SHARD, policies: [EVENTS, ...SHARD_POLICIES] },
] as const

export interface TableRetention {
  /** Binding of its database. */
  database: string
  table: string
  owner: string
  kept: string
  /** When the daily trigger deletes rows; empty where it deletes none. */
  pruned: string
  /** The setting of its policy, with the default; empty without. */
  setting: string
}

/** Every table, in words. */
export const retentionOfTables = (): TableRetention[] =>
  DATABASES.flatMap(({ binding: database, words, policies }) =>
    Object.entries(words).map(([table, [owner, kept, pruned = '']]) => {
      const policy: Pick<Policy, 'days' | 'newest'> | undefined = policies.find(
        (each) => each.table === table,
      )
      const days = policy?.days ?? 0
      const setting = policy?.newest ?? days
      return {
        database,
        table,
        owner,
        kept,
        pruned: pruned.replace('{days}', ageInWords(days)),
        setting: typeof setting === 'string' ? `\`${setting}\`: ${DEFAULTS[setting] || 'empty'}` : '',
      }
    }),
  )

function ageInWords(days: Policy['days']): string {
  if (typeof days === 'string') return 'N days'
  return days === 1 ? 'a day' : `${days} days`
}
