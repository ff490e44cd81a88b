// Sends what `requestsFor` makes, as one of the callers of a tenant: placeholders become what they stand for.
import { type TestResponse, ORIGIN } from '../support/harness'
import { createMaterializingTenant } from '../support/endpoints/materialization'
import { type PlayedModel, playModel, says } from '../support/server/model'
import { setLevel } from '../support/tenant'
import { freshIp } from '../support/user'
import { callersOf } from './callers'
import type { Documented } from './requests/document'
import { bodyOf, inTexts, pathOf } from './placeholders'
import type { FuzzRequest } from './requests/request'
import type { Victim } from './victim'
import { thingNames, type World, worldOf } from './world'

export interface Sent {
  answer: TestResponse
  method: string
  /** The body as it travelled; empty where there was none. */
  text: string
  /** As the service saw it, without the query. */
  pathname: string
  /** Everything that was said to the service so far: what comes back of it is no secret. */
  said: string
}

export interface Sender {
  world: World
  send(operation: Documented, request: FuzzRequest): Promise<Sent>
}

/** A tenant whose user owns the organization, and who may do everything there, where suggestions come from `model`. */
export async function createSender(victim: Victim, model: PlayedModel): Promise<Sender> {
  const tenant = await createMaterializingTenant(model.bindings)
  await setLevel(tenant, 15)
  const world = worldOf(tenant, 'own')
  const credentials = callersOf(world, tenant)
  let etag = '"none"'
  let saidBefore = ''

  async function resolve(name: string): Promise<unknown> {
    if (name === 'etag') return etag
    const [, other, thing = ''] = /^(other\.)?(.*)$/.exec(name)!
    // What was spoiled may be a placeholder no more.
    if (!thingNames.includes(thing)) return `{{${name}}}`
    return other ? victim.thing(thing) : world.resolve(thing)
  }

  return {
    world,
    async send(operation, request) {
      const used = new Set<string>()
      if (request.prepared) for (const name of preparationsOf(operation)) await world.resolve(name)
      const said = (name: string) => {
        used.add(name)
        return resolve(name)
      }
      const path = await pathOf(operation, request, said)
      const headers = await inTexts(request.headers, said)
      const body = request.body && (await bodyOf(request.body, said))
      const url = new URL(path, ORIGIN)
      const { headers: own, query } = await credentials(request.as)
      if (query) url.search += `${url.search === '' ? '?' : '&'}${query}`
      const method = request.method ?? operation.method
      const isBodiless = method === 'GET' || method === 'HEAD'
      const response = await tenant.send(method, `${url.pathname}${url.search}`, {
        headers: {
          'CF-Connecting-IP': freshIp(),
          ...own,
          ...headers,
          ...(body?.type == null || isBodiless ? {} : { 'Content-Type': body.type }),
        },
        ...(body && !isBodiless ? { raw: body.bytes } : {}),
      })
      etag = response.headers.get('ETag') ?? etag
      // Whoever waits a minute between requests has new codes, and nothing in a cache.
      tenant.clock.advance({ seconds: 31 })
      refresh(operation, request, response, used)
      saidBefore += ` ${path} ${JSON.stringify(headers)} ${body?.text ?? ''}`
      return { answer: response, method, text: body?.text ?? '', pathname: url.pathname, said: saidBefore }
    },
  }

  /** What a request used up is created again for the next one. */
  function refresh(
    operation: Documented,
    { as }: FuzzRequest,
    { status, body }: TestResponse,
    used: Set<string>,
  ): void {
    const isGone = operation.method === 'DELETE' ? status < 300 : [404, 405].includes(status)
    if (isGone || operation.id.includes('bulk_delete') || operation.id === 'signup_invite_create')
      world.forget(used.has('member_uuid') ? [...used, 'member'] : used)
    // A session may have been signed out, or have proved itself too long ago.
    if (as === 'session' && (status === 401 || status === 403)) world.forget(['browser'])
    if (/^users_(two_factor|validate_2fa)/.test(operation.id)) world.forget(['second_factor', 'browser'])
    if (operation.id === 'feature_flags_enrich_usage_dashboard_create') world.forget(['flag:dashboard'])
    // Whoever mistyped six times waits.
    const isLocked = status === 429 || body?.code === '2fa_too_many_attempts'
    if (isLocked) world.tenant.clock.advance({ minutes: 21 })
  }
}

/** What has to be there before an operation can do anything, beside what its request names. */
function preparationsOf({ id }: Documented): readonly string[] {
  return PREPARATIONS[id.replace(/^environments_/, '')] ?? []
}

const PREPARATIONS: Record<string, readonly string[]> = {
  feature_flags_list: [
    'flag',
    'flag:variants',
    'flag:remote',
    'flag:dashboard',
    'flag:archived',
    'flag:deleted',
  ],
  feature_flags_matching_ids_retrieve: ['flag', 'flag:variants', 'flag:archived'],
  feature_flags_all_activity_retrieve: ['flag', 'flag:deleted'],
  feature_flags_my_flags_retrieve: ['flag', 'flag:variants'],
  feature_flags_evaluation_reasons_retrieve: ['flag', 'flag:variants', 'person'],
  feature_flags_user_blast_radius_create: ['person'],
  endpoints_list: ['endpoint', 'endpoint:trends', 'endpoint:versions', 'endpoint:materialized'],
  insight_variables_list: ['variable'],
  property_definitions_list: ['person', 'property'],
  organizations_members_list: ['member'],
  organizations_invites_list: ['invite'],
  organizations_sso_update: ['sso'],
  organizations_sso_destroy: ['sso'],
  organizations_sso_test_create: ['sso'],
  organizations_sso_verify_domain_create: ['sso'],
  personal_api_keys_list: ['key'],
  users_login_sessions_list: ['session'],
  users_integrations_list: ['chat_user'],
  users_integrations_chat_linkable_workspaces_retrieve: ['integration'],
  users_integrations_chat_start_create: ['integration'],
  integrations_list: ['integration'],
  users_two_factor_qr_retrieve: ['pending_code'],
  users_two_factor_backup_codes_create: ['second_factor'],
  users_two_factor_disable_create: ['second_factor'],
  users_two_factor_status_retrieve: ['second_factor'],
  flags_evaluate: ['flag', 'flag:variants', 'flag:dependent', 'flag:cohort', 'person'],
  local_evaluation: ['flag', 'flag:variants', 'flag:cohort'],
  ofrep_evaluate_flags: ['flag', 'flag:variants', 'flag:dependent'],
}

/** A model that says something to each of so many who ask for a suggestion. */
export const createModel = (most: number): Promise<PlayedModel> =>
  playModel(Array.from({ length: most }, (_, index) => ANSWERS[index % ANSWERS.length]!))

const ANSWERS = [
  says('SELECT event, count() AS n FROM events WHERE event = {variables.own_variable} GROUP BY event'),
  says(null),
  says('SELECT nothing'),
]
