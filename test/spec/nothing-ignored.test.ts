// What a caller gives is used or refused: unknown members of the objects in a body, fields that only updates can set, and parameters.
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import type { Operation } from '../../src/http/operation'
import { call, fill, operations, paramsFor, type Params, withBody } from '../security/call'
import { sampleOf } from '../security/samples'
import { refused as refusedAt, seen } from '../support/responses'
import { createTenant, type Tenant } from '../support/tenant'

type Json = Record<string, unknown>

interface Place {
  /** Keys from the body; `[]` is an entry of a list. */
  path: string
  /** Whether the schema declares the members of the object. */
  isDeclared: boolean
}

interface Def {
  type: string
  shape?: Readonly<Record<string, z.ZodType>>
  valueType?: z.ZodType
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
}

/** Returns the places of a body's schema that may have an object: those that the schema describes, and those that take any JSON. */
function placesIn(schema: z.ZodType, path = ''): Place[] {
  const def = schema.def as unknown as Def
  const here = (isDeclared: boolean): Place[] => (path === '' ? [] : [{ path, isDeclared }])
  switch (def.type) {
    case 'object':
      return [
        ...here(true),
        ...Object.entries(def.shape!).flatMap(([key, each]) => placesIn(each, `${path}.${key}`)),
      ]
    case 'record':
      // A map has the names of its caller. It is a place only if its values may be anything.
      return def.valueType!.def.type === 'unknown' ? here(false) : []
    case 'array':
      return placesIn(def.element!, `${path}[]`)
    case 'union':
      return def.options!.flatMap((option) => placesIn(option, path))
    case 'pipe': {
      const parts = [def.in!, def.out!].filter((part) => part.def.type !== 'transform')
      return parts.flatMap((part) => placesIn(part, path))
    }
    case 'unknown':
    case 'any':
    case 'custom':
      return here(false)
    default:
      return def.innerType ? placesIn(def.innerType, path) : []
  }
}

const uniquePlaces = ({ body }: Operation): Place[] => [
  ...new Map(placesIn(body!).map((place) => [place.path, place])).values(),
]

/** Returns a body that has only `value` at a place. */
const bodyWith = (path: string, value: unknown): Json =>
  path
    .split(/(?=\.)|(?=\[\])/)
    .reduceRight<unknown>((inner, key) => (key === '[]' ? [inner] : { [key.slice(1)]: inner }), value) as Json

const UNKNOWN = { made_up_limit: 5 }

/** The resource of an operation, which its places are listed under. */
const resourceOf = ({ path }: Operation): string =>
  path.split('/').findLast((part) => LISTED.has(part)) ?? path.split('/')[2]!
const LISTED = new Set([
  'feature_flags',
  'test_evaluation',
  'user_blast_radius',
  'bulk_delete',
  'bulk_restore',
  'bulk_keys',
  'scheduled_changes',
  'approval_policies',
  'endpoints',
  'query',
  'insight_variables',
  'actions',
  'cohorts',
  'users',
  'start',
])

/** An object with an unknown member at a place whose schema takes any JSON, and what becomes of it. */
type Outcome = { refused: unknown } | { kept: string }
const refused = (value: unknown = UNKNOWN): Outcome => ({ refused: value })
const kept = (why: string): Outcome => ({ kept: why })

const PROPERTY = { key: 'plan', operator: 'exact', value: 'pro', type: 'person' }
const HOGQL = { kind: 'HogQLQuery', query: 'SELECT 1' }

/** All such places. A new one has to be added here, with the reason if its unknown members are not refused. */
const OPEN: Readonly<Record<string, Outcome>> = {
  'feature_flags.filters': kept('Stored as they came, unless they are close to a known key.'),
  'feature_flags.rollback_conditions': kept('Stored as they came.'),
  'feature_flags.evaluation_contexts': refused(),
  'feature_flags.analytics_dashboards[]': refused(),
  'feature_flags.original_flag': kept(
    'Compared with the flag, which may have more fields for a newer client.',
  ),
  'test_evaluation.groups': kept('Names of group types.'),
  'user_blast_radius.condition': refused(),
  'bulk_delete.ids': refused(),
  'bulk_delete.filters': refused(),
  'bulk_restore.ids': refused(),
  'bulk_keys.ids': refused(),
  'scheduled_changes.payload': refused({ operation: 'update_status', value: true, ...UNKNOWN }),
  'scheduled_changes.cron_expression': refused(),
  'scheduled_changes.timezone': refused(),
  'approval_policies.conditions': refused({ type: 'any_change', field: 'rollout_percentage', ...UNKNOWN }),
  'approval_policies.approver_config.roles[]': refused(),
  'approval_policies.bypass_roles[]': refused(),
  'approval_policies.expires_after': refused(),
  'endpoints.query': refused({ ...HOGQL, ...UNKNOWN }),
  'endpoints.version': refused(),
  'query.query': refused({ ...HOGQL, ...UNKNOWN }),
  'insight_variables.default_value': kept('The value of a variable may be any JSON.'),
  'insight_variables.values[]': kept('Choices may be any JSON.'),
  'actions.steps[].properties[].group_key_names': kept('Names for a user interface.'),
  'actions.steps[].properties[].value': refused(),
  'cohorts.filters': refused({ properties: { type: 'AND', values: [{ ...PROPERTY, ...UNKNOWN }] } }),
  'cohorts.groups[]': refused({ properties: [PROPERTY], ...UNKNOWN }),
  'cohorts.query': refused(),
  'users.notification_settings': refused(),
  'users.events_column_config': kept('Settings of a client, stored as they came.'),
  'users.has_seen_product_intro_for': kept('Settings of a client, stored as they came.'),
  'users.hedgehog_config': kept('Settings of a client, stored as they came.'),
  'users.dashboard': refused(),
  'start.team_id': refused(),
}

const nested = withBody.map((operation) => ({ operation, places: uniquePlaces(operation) }))
const keyOf = (operation: Operation, { path }: Place) => `${resourceOf(operation)}${path}`

async function send(operation: Operation, body: Json) {
  const tenant = await createTenant()
  const params = await paramsFor(operation, tenant)
  return call(tenant, operation, { params, body })
}

describe('an unknown member of an object in a body', () => {
  const declared = nested.flatMap(({ operation, places }) =>
    places.filter(({ isDeclared }) => isDeclared).map(({ path }) => ({ id: operation.id, path, operation })),
  )
  it.each(declared)('of $id is refused at $path', async ({ operation, path }) => {
    const { status, body } = await send(operation, bodyWith(path, UNKNOWN))
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 400,
      code: 'unknown_field',
      detail: expect.stringContaining('made_up_limit'),
    })
  })

  const open = nested.flatMap(({ operation, places }) =>
    places
      .filter(({ isDeclared }) => !isDeclared)
      .map((place) => ({ id: operation.id, path: place.path, key: keyOf(operation, place), operation })),
  )
  it('has a known outcome wherever any JSON is taken', () => {
    expect([...new Set(open.map(({ key }) => key))].sort()).toEqual(Object.keys(OPEN).sort())
  })
  const refusing = open.flatMap((each) => {
    const outcome = OPEN[each.key]
    return outcome && 'refused' in outcome ? [{ ...each, value: outcome.refused }] : []
  })
  it.each(refusing)('of $id is refused at $path', async ({ operation, path, value }) => {
    const sample = sampleOf(operation.id).body ?? {}
    const { status } = await send(operation, { ...sample, ...bodyWith(path, value) })
    expect(status).toBe(400)
  })
})

/** An object that has no text: code that asks for one throws. */
const TEXTLESS = { toString: 1, valueOf: 1 }

describe('a value without a text', () => {
  it.each(withBody.map((operation) => ({ id: operation.id, operation })))(
    'is no error of the service in $id',
    async ({ id, operation }) => {
      const tenant = await createTenant()
      const params = await paramsFor(operation, tenant)
      const sample = sampleOf(id).body ?? {}
      const paths = [
        ...fieldsOf(operation.body).map((field) => `.${field}`),
        ...uniquePlaces(operation).map(({ path }) => path),
      ]
      const bodies = [...new Set(paths)].flatMap((path) =>
        [TEXTLESS, [TEXTLESS], { made_up: TEXTLESS }].map((value) => ({
          ...sample,
          ...bodyWith(path, value),
        })),
      )
      const failed: string[] = []
      for (const body of bodies) {
        const { status } = await call(tenant, operation, { params, body })
        if (status >= 500) failed.push(`${status} for ${JSON.stringify(body)}`)
      }
      expect(failed).toEqual([])
    },
  )
})

describe('a kind without a text', () => {
  it.each([{ kind: TEXTLESS }, { kind: 'TrendsQuery', series: [{ kind: TEXTLESS }] }])(
    'is refused in a query: %j',
    async (query) => {
      for (const id of ['query_create', 'endpoints_create']) {
        const operation = operations.find((each) => each.id === id)!
        const { status, body } = await send(operation, { ...sampleOf(id).body, query })
        expect({ status, detail: body.detail }).toEqual({
          status: 400,
          detail: expect.stringContaining('kind'),
        })
      }
    },
  )
})

/** The fields of a body. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  const def = schema?.def as unknown as Def | undefined
  if (def?.shape) return Object.keys(def.shape)
  return [def?.in, def?.out, def?.innerType].flatMap((part) => (part ? fieldsOf(part) : []))
}

const isUpdate = ({ method }: Operation) => method === 'patch' || method === 'put'
const itemOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.')}:\\w+/$`)

/** Fields of updates that a new object cannot have, and that have nothing to say about one. */
const OF_A_READ_OBJECT = new Set(['original_flag', 'version'])

describe('a field that only updates can set', () => {
  const creations = withBody
    .filter(({ method }) => method === 'post')
    .flatMap((creation) => {
      const updates = withBody.filter((each) => isUpdate(each) && itemOf(creation.path).test(each.path))
      const fields = new Set(updates.flatMap(({ body }) => fieldsOf(body)))
      return [...fields].filter((field) => !OF_A_READ_OBJECT.has(field)).map((field) => ({ creation, field }))
    })
  const known = ({ creation, field }: { creation: Operation; field: string }) =>
    fieldsOf(creation.body).includes(field)

  it('is a field of the creation too', () => {
    expect(
      creations.filter((each) => !known(each)).map(({ creation, field }) => [creation.id, field]),
    ).toEqual([])
  })

  it.each([
    ['cohorts_create', 'deleted'],
    ['dashboards_create', 'deleted'],
    ['actions_create', 'deleted'],
    ['projects_create', 'require_evaluation_contexts'],
    ['organizations_projects_create', 'require_evaluation_contexts'],
  ])('of %s is refused: %s', async (id, field) => {
    const operation = operations.find((each) => each.id === id)!
    const sample = sampleOf(id).body ?? {}
    const refusal = await send(operation, { ...sample, [field]: true })
    expect({ status: refusal.status, attr: refusal.body.attr, detail: refusal.body.detail }).toEqual({
      status: 400,
      attr: field,
      detail: expect.stringMatching(new RegExp(`Create it, and send ${field} by PATCH\\.$`)),
    })
    expect((await send(operation, { ...sample, [field]: false })).status).toBe(201)
  })
})

describe('another word for a field of a flag', () => {
  const HINT = (sent: string, meant: string) => `Unknown field: ${sent}. Did you mean ${meant}?`

  it.each([
    ['enabled', false, 'active'],
    ['is_enabled', false, 'active'],
    ['isEnabled', true, 'active'],
    ['on', false, 'active'],
    ['state', 'off', 'active'],
    ['disabled', true, 'active: false'],
    ['is_disabled', false, 'active: true'],
    ['off', 'yes', 'active: false'],
    ['description', 'The new checkout', 'name'],
    ['title', 'Checkout', 'name'],
    ['evaluation_tags', ['web'], 'evaluation_contexts'],
    ['evaluation_environments', ['web'], 'evaluation_contexts'],
    ['environments', ['web'], 'evaluation_contexts'],
    ['release_conditions', [{}], 'filters.groups'],
    ['labels', ['beta'], 'tags'],
    ['encrypted', true, 'has_encrypted_payloads'],
    ['remote_config', true, 'is_remote_configuration'],
    ['persist_across_auth', true, 'ensure_experience_continuity'],
    ['rollout', 5, 'filters.groups[].rollout_percentage'],
    ['percentage', 5, 'filters.groups[].rollout_percentage'],
  ])('is refused with it: %s, %j', async (word, value, meant) => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const refusal = refusedAt(word, HINT(word, meant), 'unknown_field')
    const created = await tenant.post(tenant.flags(), { key: 'search', [word]: value })
    const updated = await tenant.patch(tenant.flags(flag.id), { tags: ['beta'], [word]: value })
    expect([seen(created), seen(updated)]).toEqual([refusal, refusal])
    expect((await tenant.get(tenant.flags())).body.results).toEqual([flag])
  })

  it('is refused in filters: rollout', async () => {
    const tenant = await createTenant()
    const sent = { key: 'search', filters: { groups: [{ properties: [] }], rollout: 5 } }
    expect(seen(await tenant.post(tenant.flags(), sent))).toEqual(
      refusedAt('filters', HINT('rollout', 'groups[].rollout_percentage'), 'unknown_field'),
    )
  })

  it.each([{ enabled: null, disabled: null }, { description: '' }, { name: 'Checkout', description: 'New' }])(
    'is ignored without a value, and a description beside the name, as a client of upstream sends it: %j',
    async (fields) => {
      const tenant = await createTenant()
      const { status, body } = await tenant.post(tenant.flags(), { key: 'search', ...fields })
      expect([status, body.active, body.name]).toEqual([201, true, 'name' in fields ? fields.name : ''])
    },
  )
})

const withParameters = (operation: Operation, params: Params, added: [string, string][]): string => {
  const url = new URL(fill(operation, params), 'https://service.example')
  for (const [name, value] of added) url.searchParams.append(name, value)
  return `${url.pathname}${url.search}`
}

describe.each(operations.filter(({ query }) => query))('a parameter of $id', (operation) => {
  const names = Object.keys(operation.query!.shape)
  const ask = async (tenant: Tenant, params: Params, added: [string, string][]) => {
    const path = withParameters(operation, params, added)
    const { status, body } = await call(tenant, operation, { params, path })
    return { status, text: String(body.detail ?? body.error) }
  }

  it('is refused in other letters, and when it is given twice', async () => {
    const tenant = await createTenant()
    const params = await paramsFor(operation, tenant)
    for (const name of names) {
      const shouted = name.toUpperCase()
      expect(await ask(tenant, params, [[shouted, '1']])).toEqual({
        status: 400,
        text: expect.stringContaining(`Unknown parameter: ${shouted}. Did you mean ${name}?`),
      })
      if (operation.repeatable?.includes(name)) continue
      const twice: [string, string][] = [
        [name, '1'],
        [name, '2'],
      ]
      expect(await ask(tenant, params, twice)).toEqual({
        status: 400,
        text: expect.stringContaining(`The parameter ${name} is given more than once.`),
      })
    }
  })
})
