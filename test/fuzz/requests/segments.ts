// What stands in paths: things of the tenant that calls, things of another one, and junk.
import * as fc from 'fast-check'
import { valuesOf } from './arbitrary'
import { type Documented, type Parameter, schemas } from './document'
import { weighted } from './weighted'

/** Text that is encoded, or that is sent as it stands. */
export type Piece = string | { raw: string }

/** Clients resolve it, so that the address is that of what contains the thing. */
const PARENT: Piece = { raw: '%2e%2e' }

const JUNK: readonly Piece[] = [
  '0',
  '-1',
  '1.5',
  '1e999',
  '999999999',
  '9'.repeat(40),
  'abc',
  '@current',
  '@me',
  '@other',
  '\u0000',
  '\u202e',
  '🙂',
  "1' OR '1'='1",
  '../1',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(2_000),
  '__proto__',
  'activity',
  { raw: '%' },
  { raw: '%ZZ' },
  { raw: '%00' },
  { raw: '%2F' },
  { raw: '%ed%a0%80' },
  { raw: '%ff' },
  { raw: '..%2f..' },
  PARENT,
  { raw: ';a=b' },
  { raw: 'a b' },
  { raw: '' },
]

/** What a segment names, by the literal before it: the things of worlds that may stand there. */
const NAMED: Record<string, readonly string[]> = {
  feature_flags: [
    'flag',
    'flag:variants',
    'flag:remote',
    'flag:dependent',
    'flag:cohort',
    'flag:dashboard',
    'flag:device',
    'flag:archived',
    'flag:deleted',
  ],
  scheduled_changes: ['scheduled_change'],
  actions: ['action'],
  approval_policies: ['approval_policy'],
  change_requests: ['change_request'],
  endpoints: [
    'endpoint',
    'endpoint:rows',
    'endpoint:trends',
    'endpoint:variables',
    'endpoint:versions',
    'endpoint:materialized',
    'endpoint:inactive',
    'endpoint:refused',
  ],
  insight_variables: ['variable'],
  persons: ['person'],
  cohorts: ['cohort', 'cohort:static'],
  dashboards: ['dashboard'],
  webhooks: ['webhook'],
  deliveries: ['delivery'],
  property_definitions: ['property'],
  event_definitions: ['event_name'],
  integrations: ['integration'],
  chat: ['chat_user'],
  personal_api_keys: ['key'],
  login_sessions: ['session'],
  invites: ['invite'],
  members: ['member_uuid'],
  signup: ['invite'],
  flags: ['flag_key'],
  array: ['token'],
  projects: ['project'],
  environments: ['project'],
  organizations: ['organization'],
  users: ['user'],
}

const SHORT_FOR: Record<string, string> = {
  projects: '@current',
  environments: '@current',
  organizations: '@current',
  users: '@me',
  personal_api_keys: '@current',
}

/** What a segment of an operation's path may name. */
export function namesFor(
  { path, id }: Documented,
  name: string,
): { literal: string; things: readonly string[] } {
  const [, literal = ''] = new RegExp(`([^/]+)/\\{${name}\\}`).exec(path) ?? []
  const special = SPECIAL_THINGS[id.replace(/^environments_/, '')]
  const things = special?.[name] ?? NAMED[literal] ?? []
  return { literal, things }
}

/** Where only some things do. */
const SPECIAL_THINGS: Record<string, Record<string, readonly string[]>> = {
  projects_destroy: { project_id: ['project:spare'], environment_id: ['project:spare'] },
  organizations_projects_destroy: { project_id: ['project:spare'] },
  feature_flags_remote_config_retrieve: { id: ['flag:remote', 'flag:remote', 'flag'] },
  feature_flags_enrich_usage_dashboard_create: { id: ['flag:dashboard', 'flag:dashboard', 'flag'] },
  endpoints_materialization_suggestion_create: {
    name: ['endpoint:refused', 'endpoint:refused', 'endpoint:refused', 'endpoint', 'endpoint:trends'],
  },
}

/** Whoever knows the id of an invite may see it, and accept it. */
const isSecret = (literal: string) => literal === 'signup'

/** The project must stay: every later request of the world is about it. */
const isDoomed = (id: string) => id.endsWith('projects_destroy')

/** The owner must stay, too. */
const junkFor = (literal: string, { id, method }: Documented) =>
  JUNK.filter(
    (each) =>
      !(literal === 'members' && each === '@me') &&
      !(isDoomed(id) && each === '@current') &&
      !(method === 'DELETE' && each === PARENT),
  )

/** Segments for a parameter of an operation's path: mostly of the tenant that calls, now and then of the other one, or junk. */
export function segments(operation: Documented, { name, schema }: Parameter): fc.Arbitrary<Piece> {
  const { literal, things } = namesFor(operation, name)
  if (things.length === 0) {
    // A number within its thing: a version.
    return weighted<Piece>([
      [6, fc.constantFrom('1', '2')],
      [1, valuesOf(schema, { schemas }).map(String)],
      [1, fc.constantFrom(...junkFor(literal, operation))],
    ])
  }
  const [first = '', ...rest] = things
  const short = isDoomed(operation.id) ? undefined : SHORT_FOR[literal]
  return weighted<Piece>([
    [16, fc.constant(`{{${first}}}`)],
    ...(rest.length === 0 ? [] : [[12, fc.constantFrom(...rest.map((each) => `{{${each}}}`))] as const]),
    ...(short ? [[4, fc.constant(short)] as const] : []),
    ...(isSecret(literal)
      ? []
      : [[2, fc.constantFrom(...things.map((each) => `{{other.${each}}}`))] as const]),
    [2, fc.constantFrom(...junkFor(literal, operation))],
  ])
}
