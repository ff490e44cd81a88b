// One valid request for every operation: what the security suite sends where only the caller, or the envelope, is wrong.
import { eq } from 'drizzle-orm'
import { memberships, organizations, personalApiKeys, persons } from '../../drizzle'
import { maskOf } from '../../src/auth/api-keys'
import { chatLink, joinOrganization, singleSignOn, workspace } from '../support/database/account-rows'
import { event, groupIdentify, sendEach } from '../support/capture'
import { approvalPolicy, changeRequest, cohort, dashboard, delivery, webhook } from '../support/database/rows'
import { type Browser, signIn } from '../support/session'
import { openApi } from '../support/generated'
import { createTenant, database, type Tenant } from '../support/tenant'

export interface Sample {
  /** The level of membership that the caller needs. */
  level?: 8 | 15
  /** The path's parameters besides the project, for something that `tenant` has. */
  params?(tenant: Tenant): Promise<Record<string, string | number>>
  query?: Record<string, string>
  body?: Record<string, unknown>
  /** What goes before when a session calls, and what it then sends otherwise. */
  forSession?(
    tenant: Tenant,
    browser: Browser,
  ): Promise<{ params?: Record<string, string | number>; body?: Record<string, unknown> }>
  /** Members of the response that are not the same when the operation is called again. */
  passing?: string[]
  /** What `body` as it stands is answered with, where that is no success. */
  answers?: number
}

/** Another browser of the tenant's user. */
const aSession = async (tenant: Tenant) => ({ session_id: (await signIn(tenant)).sessionId })

/** Another key of the tenant's user. */
export const aKey = async (tenant: Tenant) => {
  const { key } = await tenant.withKey({ label: 'sample' })
  const [row] = await database()
    .select({ id: personalApiKeys.id })
    .from(personalApiKeys)
    .where(eq(personalApiKeys.maskValue, maskOf(key)))
  return { id: row!.id }
}

const aWebhook = async (tenant: Tenant) => ({ id: await webhook(tenant) })

/** Each start makes another secret: one will do. */
const startSetup = async (browser: Browser) => {
  const { status } = await browser.get('/api/users/@me/two_factor_qr/')
  if (status === 404) await browser.get('/api/users/@me/start_2fa_setup/')
  return {}
}

/** Another member of the tenant's organization. */
const aMember = async (tenant: Tenant) => {
  const other = await createTenant({ harness: tenant })
  await joinOrganization(other, tenant.organizationId)
  return { user_uuid: other.user.uuid }
}

/** Another member, of no other organization. */
const aMemberOnly = async (tenant: Tenant) => {
  const other = await createTenant({ harness: tenant })
  await database()
    .update(memberships)
    .set({ organizationId: tenant.organizationId })
    .where(eq(memberships.userId, other.user.id))
  return { user_uuid: other.user.uuid }
}

/** An invite that the tenant's user has made. */
const anInvite = async (tenant: Tenant) => {
  const { body } = await tenant.post(`/api/organizations/${tenant.organizationId}/invites/`, {
    target_email: 'sample@example.com',
  })
  return { invite_id: body.id }
}

/** Connects the tenant's project, so that there is something to link. */
const aWorkspace = async (tenant: Tenant) => {
  await workspace(tenant)
  return {}
}

const SSO = { issuer: 'https://accounts.example.com', client_id: 'client', domains: ['example.com'] }

const aProvider = async ({ organizationId }: Tenant) => {
  await singleSignOn(organizationId, SSO.issuer, SSO.domains[0]!)
  return {}
}

const aChatLink = async (tenant: Tenant) => ({ chat_user_id: await chatLink(tenant) })

/** A property that was captured once. */
export const aProperty = async (tenant: Tenant) => {
  await sendEach(tenant, [event('ada', { price: 12 })])
  const { body } = await tenant.get(`/api/projects/${tenant.projectId}/property_definitions/`)
  return { id: body.results[0].id }
}

export const anEventName = async (tenant: Tenant) => {
  await sendEach(tenant, [event('ada')])
  const { body } = await tenant.get(`/api/projects/${tenant.projectId}/event_definitions/`)
  return { id: body.results[0].id }
}

/** A person who was captured once. */
const aPerson = async (tenant: Tenant) => {
  await sendEach(tenant, [event('ada')])
  const { body } = await tenant.get(`/api/projects/${tenant.projectId}/persons/`)
  return { id: body.results[0].uuid }
}

const aGroup = async (tenant: Tenant) => {
  await sendEach(tenant, [groupIdentify('company', 'acme', { plan: 'pro' })])
  return {}
}

const PERSON = '019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21'

const aCohort = async (tenant: Tenant) => ({ id: await cohort(tenant) })
const aStaticCohort = async (tenant: Tenant) => ({
  id: await cohort(tenant, [], { isStatic: true, filters: null }),
})

const aFlag = async (tenant: Tenant) => ({ id: (await tenant.flag()).id })

const scheduledChange = (flagId: number) => ({
  record_id: String(flagId),
  model_name: 'FeatureFlag',
  payload: { operation: 'update_status', value: false },
  scheduled_at: '2099-01-01T00:00:00Z',
})

const aScheduledChange = async (tenant: Tenant) => {
  const { id } = await aFlag(tenant)
  const { body } = await tenant.post(
    `/api/projects/${tenant.projectId}/scheduled_changes/`,
    scheduledChange(id),
  )
  return { id: body.id }
}

const aPolicy = async (tenant: Tenant) => ({ id: await approvalPolicy(tenant) })

const aChangeRequest = async (tenant: Tenant) => ({ id: await changeRequest(tenant) })

const anEndpoint = async (tenant: Tenant) => ({ name: (await tenant.endpoint()).name })

/** An endpoint of an organization that lets its data go to a model. */
const anApprovedEndpoint = async (tenant: Tenant) => {
  await database()
    .update(organizations)
    .set({ isAiDataProcessingApproved: true })
    .where(eq(organizations.id, tenant.organizationId))
  return anEndpoint(tenant)
}

const aVariable = async (tenant: Tenant) => ({ id: (await tenant.variable()).id })

const anAction = async (tenant: Tenant) => {
  const { body } = await tenant.post(`/api/projects/${tenant.projectId}/actions/`, { name: 'Sample' })
  return { id: body.id }
}

/** Operations that response in environments as in projects. */
const inBothForms = (forms: Record<string, Sample>): Record<string, Sample> => ({
  ...forms,
  ...Object.fromEntries(Object.entries(forms).map(([id, sample]) => [`environments_${id}`, sample])),
})

/**
 * By operation id: requests that do not follow from the operation's documentation, because they name an object or need a level. An operation
 * without path parameters of its own needs none.
 */
export const samples: Readonly<Record<string, Sample>> = {
  ...inBothForms({
    activity_log_list: { query: { scope: 'Endpoint' } },
    endpoints_create: {
      body: { name: 'sample', query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } },
    },
    endpoints_retrieve: { params: anEndpoint },
    endpoints_partial_update: { params: anEndpoint, body: { description: 'sample' } },
    endpoints_update: { params: anEndpoint, body: { description: 'sample' } },
    endpoints_destroy: { params: anEndpoint },
    endpoints_versions_list: { params: anEndpoint },
    endpoints_run_retrieve: { params: anEndpoint, passing: ['execution_id', 'is_cached'] },
    endpoints_run_create: { params: anEndpoint, body: { debug: true } },
    endpoints_logs_retrieve: { params: anEndpoint, query: { level: 'INFO' } },
    endpoints_materialization_preview_create: { params: anEndpoint, body: {} },
    // There is nothing to suggest for it.
    endpoints_materialization_suggestion_create: { params: anApprovedEndpoint, body: {}, answers: 400 },
    endpoints_openapi_retrieve: { params: anEndpoint },
    endpoints_materialization_status_retrieve: { params: anEndpoint },
    endpoints_last_execution_times_create: { body: { names: ['sample'] } },
    query_create: {
      body: { query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } },
      passing: ['timings'],
    },
    insight_variables_create: { body: { name: 'Sample', type: 'String' } },
    insight_variables_retrieve: { params: aVariable },
    insight_variables_partial_update: { params: aVariable, body: { default_value: 'sample' } },
    insight_variables_destroy: { params: aVariable },
  }),
  actions_create: { body: { name: 'Sample', steps: [{ event: 'sample' }] } },
  actions_retrieve: { params: anAction },
  actions_partial_update: { params: anAction, body: { description: 'sample' } },
  actions_update: { params: anAction, body: { description: 'sample' } },
  feature_flags_create: { body: { key: 'sample' } },
  feature_flags_retrieve: { params: aFlag },
  feature_flags_partial_update: { params: aFlag, body: { name: 'sample' } },
  feature_flags_destroy: { params: aFlag },
  feature_flags_activity_retrieve: { params: aFlag },
  feature_flags_versions_retrieve: {
    params: async (tenant) => ({ ...(await aFlag(tenant)), version_number: 1 }),
  },
  feature_flags_status_retrieve: { params: aFlag },
  feature_flags_dependent_flags_retrieve: { params: aFlag },
  feature_flags_remote_config_retrieve: {
    params: async (tenant) => ({ id: (await tenant.flag({ is_remote_configuration: true })).id }),
  },
  feature_flags_test_evaluation_create: { params: aFlag, body: { distinct_id: 'sample' } },
  feature_flags_evaluation_reasons_retrieve: { query: { distinct_id: 'sample' } },
  feature_flags_dashboard_create: { params: aFlag, body: {} },
  feature_flags_enrich_usage_dashboard_create: {
    params: async (tenant) => ({
      id: (await tenant.flag({ has_enriched_analytics: true, _should_create_usage_dashboard: true })).id,
    }),
  },
  feature_flags_create_static_cohort_for_flag_create: { params: aFlag, body: {} },
  feature_flags_user_blast_radius_create: { body: { condition: { properties: [] } } },
  feature_flags_bulk_delete_create: { body: { ids: [1] } },
  feature_flags_bulk_restore_create: { body: { ids: [1] } },
  feature_flags_bulk_keys_create: { body: { ids: [1] } },
  feature_flags_bulk_update_tags_create: { body: { ids: [1], action: 'add', tags: ['sample'] } },
  // No project has this flag.
  scheduled_changes_create: { body: scheduledChange(2_000_000_000), answers: 400 },
  scheduled_changes_retrieve: { params: aScheduledChange },
  scheduled_changes_partial_update: {
    params: aScheduledChange,
    body: { scheduled_at: '2099-02-01T00:00:00Z' },
  },
  scheduled_changes_update: { params: aScheduledChange, body: { scheduled_at: '2099-02-01T00:00:00Z' } },
  scheduled_changes_destroy: { params: aScheduledChange },
  // Nobody has this id.
  approval_policies_create: {
    level: 8,
    body: { action_key: 'feature_flag.enable', approver_config: { quorum: 1, users: [999_999_999] } },
    answers: 400,
  },
  approval_policies_retrieve: { params: aPolicy },
  approval_policies_partial_update: { level: 8, params: aPolicy, body: { allow_self_approve: true } },
  approval_policies_update: { level: 8, params: aPolicy, body: { allow_self_approve: true } },
  approval_policies_destroy: { level: 8, params: aPolicy },
  change_requests_retrieve: { params: aChangeRequest },
  change_requests_approve_create: { params: aChangeRequest, body: {} },
  change_requests_reject_create: { params: aChangeRequest, body: { reason: 'sample' } },
  change_requests_cancel_create: { params: aChangeRequest, body: {} },
  persons_retrieve: { params: aPerson },
  persons_destroy: { params: aPerson },
  persons_values_retrieve: { query: { key: 'plan' } },
  groups_property_values_retrieve: { query: { group_type_index: '0', key: 'plan' } },
  events_values_retrieve: { query: { key: 'plan' } },
  groups_list: { query: { group_type_index: '0' } },
  groups_find_retrieve: { params: aGroup, query: { group_type_index: '0', group_key: 'acme' } },
  cohorts_retrieve: { params: aCohort },
  cohorts_partial_update: { params: aCohort, body: { name: 'sample' } },
  cohorts_update: { params: aCohort, body: { name: 'sample' } },
  cohorts_activity_retrieve: { params: aCohort },
  cohorts_uses_retrieve: { params: aCohort },
  cohorts_persons_retrieve: { params: aCohort },
  cohorts_create: { body: { is_static: true, _create_static_person_ids: [] } },
  cohorts_add_persons_to_static_cohort_partial_update: { params: aStaticCohort, body: { person_ids: [] } },
  cohorts_remove_person_from_static_cohort_partial_update: {
    params: async (tenant) => {
      await database()
        .insert(persons)
        .values({
          projectId: tenant.projectId,
          uuid: PERSON,
          properties: {},
          createdAt: '2026-01-01T00:00:00Z',
        })
        .onConflictDoNothing()
      return aStaticCohort(tenant)
    },
    body: { person_id: PERSON },
  },
  // Staff only.
  instance_status_retrieve: { answers: 403 },
  webhooks_create: {
    body: { url: 'https://hooks.example.com/', events: ['Person.*'] },
    passing: ['id', 'secret'],
  },
  webhooks_retrieve: { params: aWebhook },
  webhooks_partial_update: { params: aWebhook, body: { description: 'sample' } },
  webhooks_destroy: { params: aWebhook },
  webhooks_rotate_secret_create: { params: aWebhook, passing: ['secret'] },
  webhooks_test_create: { params: aWebhook, passing: ['message_id', 'duration_ms'] },
  webhooks_deliveries_list: { params: async (tenant) => ({ webhook_id: await webhook(tenant) }) },
  webhooks_deliveries_redeliver_create: { params: delivery },
  dashboards_create: { body: { name: 'sample' } },
  dashboards_partial_update: {
    params: async (tenant) => ({ id: await dashboard(tenant) }),
    body: { name: 'sample' },
  },
  dashboards_retrieve: {
    params: async (tenant) => ({
      id: (await tenant.flag({ _should_create_usage_dashboard: true })).usage_dashboard,
    }),
  },
  event_definitions_retrieve: { params: anEventName },
  event_definitions_partial_update: { params: anEventName, body: { description: 'sample' } },
  property_definitions_retrieve: { params: aProperty },
  property_definitions_partial_update: {
    params: aProperty,
    body: { property_type: 'String' },
  },
  users_onboarding_skip_create: { body: { reason: 'later' } },
  users_push_tokens_create: { body: { token: 'sample', platform: 'ios' } },
  users_push_tokens_unregister_create: { body: { token: 'sample' } },
  organizations_partial_update: { level: 8, body: { name: 'sample' } },
  organizations_sso_retrieve: { level: 8, params: aProvider },
  organizations_sso_update: {
    level: 8,
    params: aProvider,
    body: { ...SSO, level_claim: 'groups', levels: { admins: 8 } },
  },
  organizations_sso_destroy: { level: 8, params: aProvider },
  // DNS is not asked for a domain that is not in the settings.
  organizations_sso_verify_domain_create: {
    level: 8,
    params: aProvider,
    body: { domain: 'other.example.com' },
    answers: 400,
  },
  organizations_sso_test_create: { level: 8, params: aProvider, body: {} },
  // A key cannot change a level: it may send the one that the member has.
  organizations_members_partial_update: { level: 8, params: aMember, body: { level: 1 } },
  organizations_members_password_reset_create: { level: 8, params: aMemberOnly, body: {} },
  organizations_members_destroy: { level: 8, params: aMember },
  organizations_invites_create: { body: { target_email: 'sample@example.com' } },
  organizations_invites_delegate_create: { body: { target_email: 'sample@example.com' } },
  organizations_invites_destroy: { params: anInvite },
  organizations_projects_create: { level: 8, body: { name: 'sample' } },
  organizations_projects_partial_update: { level: 8, body: { name: 'sample' } },
  organizations_projects_destroy: { level: 8 },
  projects_destroy: { level: 8 },
  environments_projects_destroy: { level: 8 },
  projects_create: { level: 8, body: { name: 'sample' } },
  projects_partial_update: { level: 8, body: { name: 'sample' } },
  environments_projects_partial_update: { level: 8, body: { name: 'sample' } },
  users_integrations_chat_start_create: { params: aWorkspace, body: {} },
  users_integrations_list: { query: { kind: 'chat' } },
  users_integrations_chat_destroy: { params: aChatLink },
  integrations_create: { level: 8, body: { kind: 'chat', config: { chat_team_id: 'T1' } } },
  integrations_destroy: { level: 8, params: async (tenant) => ({ id: await workspace(tenant) }) },
  users_partial_update: { body: { first_name: 'Sample' } },
  users_scene_personalisation_create: { body: { theme_mode: 'dark' } },
  users_credentials_review_complete_create: { body: {} },
  users_login_sessions_destroy: { params: aSession },
  users_login_sessions_revoke_others_create: { body: {} },
  users_two_factor_start_setup_retrieve: { passing: ['secret'] },
  users_two_factor_qr_retrieve: { forSession: (_, browser) => startSetup(browser) },
  users_two_factor_validate_create: { body: { token: 'sample' }, answers: 400 },
  users_validate_2fa_create: { body: { token: 'sample' }, answers: 400 },
  users_two_factor_backup_codes_create: { body: {}, answers: 400 },
  users_two_factor_disable_create: { body: {} },
  personal_api_keys_create: {
    body: { label: 'sample', scopes: ['*'], scoped_teams: [], scoped_organizations: [] },
  },
  personal_api_keys_retrieve: {
    params: async () => ({ id: '@current' }),
    forSession: async (tenant) => ({ params: await aKey(tenant) }),
  },
  personal_api_keys_partial_update: { params: aKey, body: { label: 'sample' } },
  personal_api_keys_update: {
    params: aKey,
    body: { label: 'sample', scopes: ['*'], scoped_teams: [], scoped_organizations: [] },
  },
  personal_api_keys_destroy: { params: aKey },
  personal_api_keys_roll_create: { params: aKey, body: {} },
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; requestBody?: { content: Content } }>>
  components: { schemas: Record<string, { examples?: unknown[] }> }
}
type Content = { 'application/json': { schema: { $ref?: string }; example?: unknown } }

const { paths, components } = openApi<Document>()

/** The documented bodies by operation id. */
const documentedBodies = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody }) => {
      const { schema, example } = requestBody?.content['application/json'] ?? {}
      const name = schema?.$ref?.split('/').at(-1)
      const body = example ?? (name && components.schemas[name]?.examples?.[0])
      return body === undefined ? [] : [[operationId, body as Record<string, unknown>] as const]
    }),
)

/** The sample of an operation; default: the documented body. */
export const sampleOf = (id: string): Sample => {
  const body = documentedBodies.get(id)
  return samples[id] ?? (body ? { body } : {})
}
