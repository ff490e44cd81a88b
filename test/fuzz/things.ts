// How each thing that requests name is made, through the API where there is a way.
import { and, eq } from 'drizzle-orm'
import { featureFlags, organizations, persons, queryVariables, totpDevices } from '../../drizzle'
import { chatLink, joinOrganization, singleSignOn, workspace } from '../support/database/account-rows'
import { event, groupIdentify, identify, sendBatch } from '../support/capture'
import { hogql, trends } from '../support/endpoints/endpoints'
import { dependsOn, inCohort, open, property, variants, where } from '../support/filters'
import type { MaterializingTenant } from '../support/endpoints/materialization'
import { approvalPolicy, changeRequest, cohort, delivery, webhook } from '../support/database/rows'
import { type Browser, signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'
import { codeOf, giveSecondFactor, pendingSecretOf } from '../support/two-factor'
import { freshIp, PASSWORD, updateUser } from '../support/user'
import { hashPassword } from '../../src/account/password/hash'
import { aKey, anEventName, aProperty } from '../security/samples'

export interface Making {
  tenant: MaterializingTenant
  /** What names are made of. */
  mark: string
  /** How often something was made. */
  count: number
  /** How often this was made; nothing for the first time. */
  again: string
  the(name: string): Promise<unknown>
  browser(): Promise<Browser>
}

export type Make = (making: Making) => Promise<unknown>

const flag =
  (fields: (making: Making) => Record<string, unknown> | Promise<Record<string, unknown>>): Make =>
  async (making) => {
    const { tenant, mark, count } = making
    const made = await fields(making)
    // The project may have come to require a context.
    const fixed = { key: `${mark}-flag-${count}`, name: `${mark} flag`, evaluation_contexts: ['site'] }
    const { id } = await tenant.flag({ ...fixed, ...made })
    return id
  }

const updatedFlag =
  (name: string, body: Record<string, unknown>): Make =>
  async ({ the, tenant }) => {
    const id = await the(name)
    await tenant.patch(tenant.flags(id as number), body)
    return id
  }

const endpoint =
  (body: Record<string, unknown>, before?: (making: Making) => Promise<unknown>): Make =>
  async (making) => {
    await before?.(making)
    const { tenant, mark, count } = making
    const name = `${mark}-endpoint-${count}`
    await tenant.endpoint({ name, description: `${mark} endpoint`, ...body })
    return name
  }

const REFUSED = 'SELECT event, count() AS n FROM events GROUP BY event HAVING event = {variables.NAME}'

export const THINGS: Record<string, Make> = {
  project: async ({ tenant }) => tenant.projectId,
  'project:spare': async ({ tenant, mark, count }) => {
    const made = await tenant.post('/api/projects/', { name: `${mark} project ${count}` })
    return made.body.id
  },
  organization: async ({ tenant }) => tenant.organizationId,
  user: async ({ tenant }) => tenant.user.uuid,
  user_id: async ({ tenant }) => tenant.user.id,
  email: async ({ tenant }) => tenant.user.email,
  token: async ({ tenant }) => tenant.projectToken,

  flag: flag(() => ({ filters: where(property()), tags: ['sample'] })),
  'flag:variants': flag(() => ({ filters: variants({ a: 50, b: 50 }), evaluation_contexts: ['site'] })),
  'flag:remote': flag(() => ({
    is_remote_configuration: true,
    has_encrypted_payloads: true,
    filters: open({ payloads: { true: '{"a":1}' } }),
  })),
  'flag:dependent': flag(async ({ the }) => ({ filters: where(dependsOn(String(await the('flag')))) })),
  'flag:cohort': flag(async ({ the }) => ({ filters: where(inCohort(await the('cohort'))) })),
  'flag:dashboard': flag(() => ({ has_enriched_analytics: true, _should_create_usage_dashboard: true })),
  'flag:device': flag(() => ({ bucketing_identifier: 'device_id', evaluation_runtime: 'server' })),
  'flag:archived': updatedFlag('flag:variants', { active: false, archived: true }),
  'flag:deleted': updatedFlag('flag:device', { deleted: true }),
  flag_key: async ({ the }) => {
    const id = (await the('flag')) as number
    const [row] = await database()
      .select({ key: featureFlags.key })
      .from(featureFlags)
      .where(eq(featureFlags.id, id))
    return row!.key
  },
  /** The id as dependencies write it. */
  flag_text: async ({ the }) => String(await the('flag')),
  cohort: ({ tenant, mark }) =>
    cohort(tenant, [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }], {
      name: `${mark} cohort`,
    }),
  'cohort:static': async ({ tenant, the }) => {
    await the('person')
    const { body } = await tenant.post(
      tenant.flags(`${(await the('flag')) as number}/create_static_cohort_for_flag`),
    )
    return body.cohort.id
  },
  dashboard: async ({ tenant, the }) =>
    (await tenant.get(tenant.flags((await the('flag:dashboard')) as number))).body.usage_dashboard,

  scheduled_change: async ({ tenant, the }) => {
    const { body } = await tenant.post(`/api/projects/${tenant.projectId}/scheduled_changes/`, {
      record_id: await the('flag'),
      model_name: 'FeatureFlag',
      payload: { operation: 'update_status', value: false },
      scheduled_at: '2099-01-01T00:00:00Z',
    })
    return body.id
  },
  action: async ({ tenant }) =>
    (
      await tenant.post(`/api/projects/${tenant.projectId}/actions/`, {
        name: 'Paid',
        steps: [{ event: 'purchase' }],
      })
    ).body.id,
  approval_policy: ({ tenant }) => approvalPolicy(tenant),
  change_request: ({ tenant }) => changeRequest(tenant),
  webhook: ({ tenant }) => webhook(tenant),
  delivery: async ({ tenant }) => (await delivery(tenant)).id,

  person: async ({ tenant, mark }) => {
    // What was sent before may have made somebody else of them: then some of this is not taken.
    await sendBatch(tenant, [
      identify('ada', 'ada-before', {
        $set: { email: `${mark}-ada@example.com`, plan: 'pro', version: '1.2.3' },
      }),
      event('ada', { plan: 'pro', amount: 30, $browser: 'Firefox', $session_id: 's-1' }, '$pageview'),
      event('grace', { plan: 'free', amount: 12.5, note: `${mark} note` }, 'purchase'),
    ])
    const [row] = await database()
      .select({ uuid: persons.id })
      .from(persons)
      .where(eq(persons.projectId, tenant.projectId))
    return row!.uuid
  },
  property: async ({ tenant }) => (await aProperty(tenant)).id,
  event_name: async ({ tenant }) => (await anEventName(tenant)).id,
  group: async ({ tenant }) => {
    await sendBatch(tenant, [groupIdentify('company', 'acme', { plan: 'pro' })])
    return 'acme'
  },

  endpoint: endpoint({ tags: ['sample'] }),
  'endpoint:rows': endpoint(
    {
      query: hogql('SELECT event, distinct_id, properties, timestamp FROM events ORDER BY timestamp'),
      description: '',
    },
    ({ the }) => the('person'),
  ),
  'endpoint:trends': endpoint({ query: trends({ breakdownFilter: { breakdown: 'plan' } }) }, ({ the }) =>
    the('person'),
  ),
  'endpoint:variables': async (making) => {
    const code = (await making.the('variable_code')) as string
    const query = `SELECT count() AS n FROM events WHERE event = {variables.${code}}`
    return endpoint({ query: hogql(query) })(making)
  },
  'endpoint:versions': async (making) => {
    const name = (await endpoint({})(making)) as string
    await making.tenant.patch(making.tenant.endpoints(name), {
      query: hogql('SELECT event FROM events LIMIT 3'),
    })
    return name
  },
  'endpoint:materialized': async (making) => {
    const name = await endpoint(
      { query: hogql('SELECT event, count() AS n FROM events GROUP BY event'), is_materialized: true },
      ({ the }) => the('person'),
    )(making)
    await making.tenant.consume()
    return name
  },
  'endpoint:inactive': endpoint({ is_active: false }),
  /** Cannot be materialized as it is, and its data may be shown to a model. */
  'endpoint:refused': async (making) => {
    const { tenant } = making
    await database()
      .update(organizations)
      .set({ isAiDataProcessingApproved: true })
      .where(eq(organizations.id, tenant.organizationId))
    const code = (await making.the('variable_code')) as string
    return endpoint({ query: hogql(REFUSED.replace('NAME', code)) })(making)
  },
  variable: async ({ tenant, mark, again }) =>
    (await tenant.variable({ name: `${mark} variable${again}`, default_value: 'opened' })).id,
  variable_code: async ({ the, tenant }) => {
    const id = (await the('variable')) as string
    const [row] = await database()
      .select({ code: queryVariables.codeName })
      .from(queryVariables)
      .where(and(eq(queryVariables.projectId, tenant.projectId), eq(queryVariables.id, id)))
    return row!.code
  },

  /** Somebody else in the organization. */
  member: async ({ tenant }) => {
    const other = await createTenant({ harness: tenant })
    await joinOrganization(other, tenant.organizationId)
    return other
  },
  member_uuid: async ({ the }) => ((await the('member')) as Tenant).user.uuid,
  key: async ({ tenant }) => (await aKey(tenant)).id,
  session: async ({ tenant }) => (await signIn(tenant)).sessionId,
  /** For an address that nobody else is invited by. */
  invite: async ({ tenant, mark, count }) => {
    const { body } = await tenant.post(`/api/organizations/${tenant.organizationId}/invites/`, {
      target_email: `${mark}-${tenant.projectId}-${count}@example.com`,
    })
    return body.id
  },
  sso: ({ tenant }) => singleSignOn(tenant.organizationId, 'https://accounts.example.com', 'example.com'),
  integration: ({ tenant }) => workspace(tenant),
  chat_user: async ({ tenant, mark }) => chatLink(tenant, { chatUserId: `U-${mark}` }),
  /** Nobody else's. */
  password: async ({ tenant, mark }) => {
    const password = `${mark}-${PASSWORD}`
    await updateUser(tenant, { passwordHash: await hashPassword(password) })
    return password
  },
  /** The secret of a second factor that is set up. */
  second_factor: async ({ tenant }) => {
    await database().delete(totpDevices).where(eq(totpDevices.userId, tenant.user.id))
    return giveSecondFactor(tenant)
  },
  /** What an app shows for it. */
  code: async ({ the, tenant }) => codeOf((await the('second_factor')) as Uint8Array, tenant.clock.now()),
  /** What an app shows for a secret that waits to be confirmed. */
  pending_code: async ({ browser, tenant }) => {
    const session = await browser()
    await session.get('/api/users/@me/start_2fa_setup/')
    return codeOf(await pendingSecretOf(session), tenant.clock.now())
  },
  /** The cookie of a sign-in that waits for its second factor. */
  challenge: async ({ tenant, the }) => {
    await the('second_factor')
    const { headers } = await tenant.send('POST', '/api/login/', {
      body: { email: tenant.user.email, password: await the('password') },
      headers: { 'CF-Connecting-IP': freshIp() },
    })
    return /login_challenge=([^;]*)/.exec(headers.getSetCookie().join())?.[1] ?? ''
  },
}

/** Things that last for a minute or ten. */
export const PASSING = new Set(['code', 'pending_code', 'challenge'])
