// What every operation costs where there is little, and where there is much: rows read must not grow with what lies
// before a page, beside a row, or behind it.
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_FILTERED_ENTRIES } from '../../src/activity/list'
import type { Operation } from '../../src/http/operation'
import { browserOf, call, expectDone, operations } from '../security/call'
import { samples } from '../security/samples'
import { type TestResponse } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'
import { fill, type Filled, LARGE, SMALL } from './fill'

interface Project extends Filled {
  tenant: Tenant
}

let small: Project
let large: Project

async function filled(size: typeof SMALL): Promise<Project> {
  const tenant = await createTenant({ level: 15 })
  return { tenant, ...(await fill(tenant, size)) }
}

beforeAll(async () => {
  small = await filled(SMALL)
  large = await filled(LARGE)
}, 120_000)

interface Cost {
  rows: number
  trips: number
}

const costOf = ({ line }: TestResponse): Cost => ({
  rows: line.d1_rows_read + (line.events_rows_read ?? 0),
  trips: line.d1_round_trips + (line.events_round_trips ?? 0),
})

/** Rows that a call may read more of the large project than of the small one, as indexes get deeper. */
const SLACK = 20

/** A page of 100. */
const PAGE = 10 * 100 + 20

/** Rows of what reads more of a large project, and why: what it answers with, or is to judge, is more. */
const ROWS: Record<string, number> = {
  // Pages, of which those of the small project are not full.
  feature_flags_list: PAGE,
  endpoints_list: PAGE,
  // Counts the versions.
  endpoints_versions_list: PAGE + LARGE.versions,
  property_definitions_list: PAGE,
  organizations_members_list: PAGE,
  organizations_projects_list: PAGE,
  projects_list: PAGE + LARGE.projects,
  // Counts the invites that the caller may see.
  organizations_invites_list: PAGE + LARGE.invites,
  // Answer for every flag.
  feature_flags_evaluation_reasons_retrieve: 2.1 * LARGE.flags,
  feature_flags_my_flags_retrieve: 2.1 * LARGE.flags,
  feature_flags_matching_ids_retrieve: 1.1 * LARGE.flags,
  // Answer with every project of the organization.
  users_retrieve: LARGE.projects + 100,
  users_partial_update: LARGE.projects + 100,
  users_scene_personalisation_create: LARGE.projects + 100,
  users_onboarding_skip_create: LARGE.projects + 100,
  users_integrations_chat_linkable_workspaces_retrieve: LARGE.projects + 20,
  organizations_list: 2 * LARGE.projects + 100,
  organizations_retrieve: LARGE.projects + 100,
  organizations_partial_update: LARGE.projects + 100,
  // Adds up what the projects of the organization have stored.
  endpoints_materialization_preview_create: 3 * LARGE.projects + 50,
  // Count the invites, of which there are at most 1,000.
  organizations_invites_create: 2 * LARGE.invites + 100,
  organizations_invites_delegate_create: 2 * LARGE.invites + 100,
  // Deletes the invites that the member has made.
  // Invites are read once for their delegations, and once to delete them.
  organizations_members_destroy: 2 * LARGE.invites + 100,
  // 2,500 people, five rows each.
  feature_flags_user_blast_radius_create: 12_600,
  // 2,500 people, six rows each, and a page of them.
  cohorts_persons_retrieve: 15_900,
  // Searches all cohorts and saved queries.
  cohorts_uses_retrieve: 2_100 + LARGE.cohorts,
  // Add up what the cohorts of the project take: one of them may be too much. A change checks references, too.
  feature_flags_create_static_cohort_for_flag_create: LARGE.cohorts + 50,
  cohorts_create: 2 * LARGE.cohorts + 50,
  cohorts_partial_update: 2 * LARGE.cohorts + 50,
  cohorts_update: 2 * LARGE.cohorts + 50,
  // Count what they list a page of.
  cohorts_list: PAGE + LARGE.cohorts,
  dashboards_list: PAGE + LARGE.dashboards,
  scheduled_changes_list: PAGE + LARGE.ranChanges,
  change_requests_list: PAGE + LARGE.endedRequests,
  insight_variables_list: PAGE + LARGE.variables,
  actions_list: PAGE + 4 * LARGE.actions,
  // Count the actions of the project.
  actions_create: 4 * LARGE.actions + 50,
  actions_partial_update: LARGE.actions + 50,
  actions_update: LARGE.actions + 50,
  // Deletes its deliveries.
  webhooks_destroy: 3 * LARGE.deliveries + 50,
  // Answer with every session of the user, or end them.
  users_login_sessions_list: 2 * LARGE.sessions + 50,
  users_login_sessions_revoke_others_create: 3 * LARGE.sessions + 50,
  // Samples of 2,000, six rows each.
  persons_values_retrieve: 12_020,
  groups_property_values_retrieve: 12_020,
  events_values_retrieve: 12_020,
  // The query counts all events.
  endpoints_run_retrieve: 1.1 * LARGE.events,
  endpoints_run_create: 1.1 * LARGE.events,
  query_create: 1.1 * LARGE.events,
}

/** Keys may not do what these do. */
const WITH_SESSION = new Set(['organizations_invites_delegate_create'])

async function askFor(operation: Operation, { tenant }: Project): Promise<TestResponse> {
  const params = {
    project_id: tenant.projectId,
    organization_id: tenant.organizationId,
    uuid: '@me',
    ...(await samples[operation.id]?.params?.(tenant)),
  }
  const session = WITH_SESSION.has(operation.id) ? { browser: await browserOf(tenant) } : {}
  return call(tenant, operation, { params, ...session })
}

async function expectEqualCost(operation: Operation): Promise<void> {
  const [little, much] = [await askFor(operation, small), await askFor(operation, large)]
  expectDone(operation, little)
  expect(much.status).toBe(little.status)
  expect(costOf(much).rows).toBeLessThanOrEqual(ROWS[operation.id] ?? costOf(little).rows + SLACK)
  expect(costOf(much).trips).toBeLessThanOrEqual(costOf(little).trips)
}

/** The last test: the others need the projects. */
const LAST = 'projects_destroy'

describe('an operation costs the same in a small project and in a large one', () => {
  const others = operations.filter(({ id }) => !id.endsWith(LAST))
  it.each(others.map((operation) => [operation.id, operation] as const))('%s', (_, operation) =>
    expectEqualCost(operation),
  )
})

/** Calls for what lies deep, or is filtered: the rows that they may read of the large project. */
const CALLS: [
  what: string,
  rows: number,
  ask: (project: Project) => Promise<TestResponse>,
  status?: number,
][] = [
  ...[1, 5_000, 10_000].map((page): (typeof CALLS)[number] => [
    `page ${page} of the activity of all flags`,
    10 * 10 + 20,
    ({ tenant }) => tenant.get(`${tenant.flags()}activity/?page=${page}`),
  ]),
  ...[1, 1_000].map((page): (typeof CALLS)[number] => [
    `page ${page} of the activity of one flag`,
    10 * 10 + 20,
    ({ tenant, flagId }) => tenant.get(`${tenant.flags(flagId)}activity/?page=${page}`),
  ]),
  // The entries that are counted and skipped, each once.
  ...[
    ['user=system', 20],
    ['start_date=2100-01-01', 20],
    ['user=me', MAX_FILTERED_ENTRIES + 120],
    ['user=me&page=1000', 2 * MAX_FILTERED_ENTRIES + 120],
    ['start_date=2000-01-01&page=1000', 2 * MAX_FILTERED_ENTRIES + 120],
    ['user=me&start_date=2100-01-01', 20],
    // Looks through the entries of a flag.
    ['user=system&item_id=1', 20 + 4 * 10_000],
  ].map(([filter, rows]): (typeof CALLS)[number] => [
    `the activity with ${filter}`,
    Number(rows),
    ({ tenant, flagId }) =>
      tenant.get(
        `/api/projects/${tenant.projectId}/activity_log/?scope=FeatureFlag&${String(filter).replace('=me', `=${tenant.user.email}`).replace('item_id=1', `item_id=${flagId}`)}`,
      ),
  ]),
  ...[0, 9_900].map((offset): (typeof CALLS)[number] => [
    `the log of an endpoint from ${offset}`,
    10 * 50 + 20,
    ({ tenant, endpoint }) => tenant.get(`${tenant.endpoints(endpoint)}logs/?offset=${offset}`),
  ]),
  [
    'the log of an endpoint, filtered',
    LARGE.logLines + 10 * 50 + 20,
    ({ tenant, endpoint }) => tenant.get(`${tenant.endpoints(endpoint)}logs/?search=line%209`),
  ],
  ...['created_at', '-created_at', 'key', '-key', 'name', 'updated_at', '-updated_at'].map(
    (order): (typeof CALLS)[number] => [
      `flags by ${order}`,
      PAGE,
      ({ tenant }) => tenant.get(`${tenant.flags()}?order=${order}`),
    ],
  ),
  ...['id', '-last_called_at', 'version', 'active', 'created_by'].map((order): (typeof CALLS)[number] => [
    `flags by ${order}`,
    PAGE + 2 * LARGE.flags,
    ({ tenant }) => tenant.get(`${tenant.flags()}?order=${order}`),
  ]),
  ...['active=true', 'type=boolean', 'evaluation_runtime=all', 'search=grown'].map(
    (filter): (typeof CALLS)[number] => [
      `flags with ${filter}`,
      PAGE + 2 * LARGE.flags,
      ({ tenant }) => tenant.get(`${tenant.flags()}?${filter}`),
    ],
  ),
  ['archived flags', 20, ({ tenant }) => tenant.get(`${tenant.flags()}?archived=true`)],
  ['flags from 1,100', PAGE + LARGE.flags, ({ tenant }) => tenant.get(`${tenant.flags()}?offset=1100`)],
  [
    'active endpoints',
    PAGE + LARGE.endpoints,
    ({ tenant }) => tenant.get(`${tenant.endpoints()}?is_active=true`),
  ],
  ...[0, 900].map((offset): (typeof CALLS)[number] => [
    `versions of an endpoint from ${offset}`,
    PAGE + LARGE.versions + 2 * offset,
    ({ tenant, endpoint }) => tenant.get(`${tenant.endpoints(endpoint)}versions/?offset=${offset}`),
  ]),
  [
    'property definitions that are searched',
    PAGE + LARGE.definitions,
    ({ tenant }) => tenant.get(`/api/projects/${tenant.projectId}/property_definitions/?search=9`),
  ],
  [
    'the reach among groups',
    12_600,
    ({ tenant }) =>
      tenant.post(tenant.flags('user_blast_radius'), { condition: { properties: [] }, group_type_index: 0 }),
  ],
  [
    'a scheduled change',
    60,
    ({ tenant, flagId }) =>
      tenant.post(`/api/projects/${tenant.projectId}/scheduled_changes/`, {
        record_id: String(flagId),
        model_name: 'FeatureFlag',
        payload: { operation: 'update_status', value: false },
        scheduled_at: '2099-01-01T00:00:00Z',
      }),
    201,
  ],
  [
    'new tags for ten flags',
    10 * 46,
    async ({ tenant }) => {
      const made = await Promise.all(Array.from({ length: 10 }, () => tenant.flag()))
      const body = { ids: made.map(({ id }) => id), action: 'add', tags: ['new'] }
      return tenant.post(`${tenant.flags()}bulk_update_tags/`, body)
    },
  ],
  [
    'test_evaluation at a past moment, of a person of 200,000 changes',
    400,
    async ({ tenant, distinctId }) => {
      const { id } = await tenant.flag({ created_at: '2026-01-01T00:00:00Z' })
      return tenant.post(tenant.flags(`${id}/test_evaluation`), {
        distinct_id: distinctId,
        timestamp: '2026-03-11T00:00:00Z',
      })
    },
  ],
]

describe('what a call reads of the large project', () => {
  it.each(CALLS)('%s: at most %i rows', async (_, rows, ask, status = 200) => {
    const response = await ask(large)
    expect(response.status).toBe(status)
    expect(costOf(response).rows).toBeLessThanOrEqual(rows)
    expect(costOf(response).trips).toBeLessThanOrEqual(4)
  })
})

describe('deleting a project', () => {
  it('costs a request the same in a small project and in a large one', async () => {
    const operation = operations.find(({ id }) => id === LAST)!
    await expectEqualCost(operation)
  })
})
