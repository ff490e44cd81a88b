// A project in which the responses of all operations have something in their lists, and a request for each operation.
import type { Operation } from '../../src/http/operation'
import { workspace } from '../support/database/account-rows'
import { event, sendEach } from '../support/capture'
import type { Tenant } from '../support/tenant'
import { says } from '../support/server/model'
import { askingTenant, GOOD } from '../support/server/suggestions'
import type { Params } from '../security/call'
import { type Browser, signIn } from '../support/session'

export interface World {
  tenant: Tenant
  browser: Browser
  /** A flag with conditions, which another flag depends on. */
  flag: number
  /** A saved query that was run, whose checks for materialization fail. */
  endpoint: string
}

export interface Request {
  params?: Params
  query?: string
  body?: Record<string, unknown>
}

const ON_PLAN = {
  groups: [
    {
      properties: [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
      rollout_percentage: 50,
    },
  ],
}

export async function createWorld(): Promise<World> {
  const { tenant } = await askingTenant([says(GOOD), says(GOOD)])
  const browser = await signIn(tenant)
  await workspace(tenant)
  await sendEach(tenant, [event('ada', { $set: { plan: 'pro' } })])
  const flag = await tenant.flag({ filters: ON_PLAN, tags: ['web'], evaluation_contexts: ['checkout'] })
  await tenant.patch(tenant.flags(flag.id), { name: 'Renamed' })
  await tenant.flag({
    filters: {
      groups: [
        { properties: [{ key: String(flag.id), type: 'flag', operator: 'flag_evaluates_to', value: true }] },
      ],
    },
  })
  await tenant.post(tenant.endpoints('refused/run'), { variables: { name: 'purchase' } })
  return { tenant, browser, flag: flag.id, endpoint: 'refused' }
}

const newFlag = async ({ tenant }: World, body: object = {}) => ({ id: (await tenant.flag({ ...body })).id })

/** By operation id, that of an operation inside a project; default: the flag or the saved query of the world. */
const REQUESTS: Readonly<Record<string, (world: World) => Request | Promise<Request>>> = {
  feature_flags_create: () => ({ body: { key: 'created', filters: ON_PLAN, tags: ['web'] } }),
  feature_flags_partial_update: () => ({ body: { name: 'Changed' } }),
  feature_flags_create_static_cohort_for_flag_create: () => ({ body: {} }),
  feature_flags_dashboard_create: () => ({ body: {} }),
  feature_flags_enrich_usage_dashboard_create: async (world) => ({
    params: await newFlag(world, { has_enriched_analytics: true, _should_create_usage_dashboard: true }),
    body: {},
  }),
  feature_flags_remote_config_retrieve: async (world) => ({
    params: await newFlag(world, {
      is_remote_configuration: true,
      filters: { groups: [{}], payloads: { true: '"12 months"' } },
    }),
  }),
  feature_flags_test_evaluation_create: () => ({ body: { distinct_id: 'ada' } }),
  feature_flags_versions_retrieve: ({ flag }) => ({ params: { id: flag, version_number: 1 } }),
  feature_flags_bulk_delete_create: async (world) => ({
    // The flag of the world is needed by another.
    body: { ids: [(await newFlag(world)).id, world.flag] },
  }),
  feature_flags_bulk_keys_create: ({ flag }) => ({ body: { ids: [flag, 'x'] } }),
  feature_flags_bulk_update_tags_create: ({ flag }) => ({
    body: { ids: [flag, 999_999_999], action: 'add', tags: ['ios'] },
  }),
  feature_flags_evaluation_reasons_retrieve: () => ({ query: 'distinct_id=ada' }),
  users_integrations_chat_start_create: () => ({ body: {} }),
  users_login_sessions_destroy: async ({ tenant }) => ({
    params: { session_id: (await signIn(tenant)).sessionId },
  }),
  users_login_sessions_revoke_others_create: () => ({ body: {} }),
  users_onboarding_skip_create: () => ({ body: { reason: 'later' } }),
  users_push_tokens_create: () => ({ body: { token: 'device', platform: 'ios' } }),
  users_push_tokens_unregister_create: () => ({ body: { token: 'device' } }),
  users_scene_personalisation_create: () => ({ body: { theme_mode: 'dark' } }),
  endpoints_create: ({ tenant }) => ({
    body: {
      name: `created-${tenant.clock.now().getTime()}-${Math.random().toString(36).slice(2)}`,
      query: { kind: 'HogQLQuery', query: 'SELECT count() AS events FROM events' },
    },
  }),
  endpoints_partial_update: () => ({ body: { tags: ['web'] } }),
  endpoints_destroy: async ({ tenant }) => ({ params: { name: (await tenant.endpoint()).name } }),
  endpoints_run_retrieve: async ({ tenant }) => ({ params: { name: (await tenant.endpoint()).name } }),
  endpoints_run_create: async ({ tenant }) => ({
    params: { name: (await tenant.endpoint()).name },
    body: { refresh: 'force' },
  }),
  endpoints_materialization_preview_create: () => ({ body: {} }),
  endpoints_materialization_suggestion_create: () => ({ body: {} }),
  endpoints_last_execution_times_create: ({ endpoint }) => ({ body: { names: [endpoint] } }),
}

/** A valid request for an operation: its path with the query, and its body. */
export async function requestFor(
  { id, path }: Operation,
  world: World,
): Promise<{ path: string; params: Params; body?: Record<string, unknown> }> {
  const { params, query, body } = (await REQUESTS[id.replace(/^environments_/, '')]?.(world)) ?? {}
  const all: Params = {
    project_id: world.tenant.projectId,
    environment_id: world.tenant.projectId,
    uuid: '@me',
    id: world.flag,
    name: world.endpoint,
    ...params,
  }
  return { path: `${pathWith(path, all)}${query ? `?${query}` : ''}`, params: all, body }
}

export const pathWith = (path: string, params: Params): string =>
  path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))
