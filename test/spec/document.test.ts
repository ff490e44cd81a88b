// The OpenAPI document against the specification, and its defaults against what the service does.
import { describe, expect, it } from 'vitest'
import { openApi } from '../support/generated'
import { createTenant, type Tenant } from '../support/tenant'

interface Schema {
  type?: string | string[]
  default?: unknown
  allOf?: Schema[]
  anyOf?: Schema[]
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
}
interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}
interface Document {
  paths: Record<string, Record<string, { parameters: Parameter[] }>>
  components: { schemas: Record<string, Schema> }
}

const { paths, components } = openApi<Document>()
const FLAGS = '/api/projects/{project_id}/feature_flags/'

const parameter = (path: string, method: string, name: string) =>
  paths[path]![method]!.parameters.find((each) => each.name === name)!.schema

/** By field, the default of a body. */
const defaultsOf = (name: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(components.schemas[name]!.properties!).flatMap(([field, { allOf }]) =>
      allOf && 'default' in allOf[0]! ? [[field, allOf[0].default]] : [],
    ),
  )

describe('the document', () => {
  it('has the fields of a flag-shaped body', () => {
    const { properties, required } = components.schemas.FlagShapedBody!
    expect(required).toBe(undefined)
    expect(Object.keys(properties!).sort()).toEqual(
      [
        'name',
        'key',
        'filters',
        'deleted',
        'active',
        'archived',
        'created_at',
        'version',
        'ensure_experience_continuity',
        'rollback_conditions',
        'performed_rollback',
        'tags',
        'evaluation_contexts',
        'analytics_dashboards',
        'has_enriched_analytics',
        'creation_context',
        'is_remote_configuration',
        'has_encrypted_payloads',
        'evaluation_runtime',
        'bucketing_identifier',
        'last_called_at',
        '_create_in_folder',
        '_should_create_usage_dashboard',
      ].sort(),
    )
    expect(defaultsOf('FlagShapedBody')).toEqual({ version: 0, _should_create_usage_dashboard: true })
  })

  it.each([
    [`${FLAGS}{id}/`, 'delete', 'id', { type: 'integer', minimum: 1 }],
    [`${FLAGS}{id}/activity/`, 'get', 'limit', { type: 'integer', minimum: 1, default: 10 }],
    [`${FLAGS}activity/`, 'get', 'page', { type: 'integer', minimum: 1, default: 1 }],
    [FLAGS, 'get', 'limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }],
    [FLAGS, 'get', 'search', { type: 'string', maxLength: 200 }],
    [`${FLAGS}evaluation_reasons/`, 'get', 'groups', { type: 'string', default: '{}' }],
    ['/api/users/{uuid}/login_sessions/', 'get', 'is_staff', { type: 'boolean' }],
    [
      '/api/projects/{project_id}/endpoints/{name}/logs/',
      'get',
      'limit',
      { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    ],
  ])('%s %s: %s', (path, method, name, schema) => {
    expect(parameter(path, method, name)).toEqual(schema)
  })

  it('has no default beside an optional field, which generators would take for required', () => {
    const wrong = Object.entries(components.schemas).flatMap(([name, { properties = {}, required = [] }]) =>
      Object.entries(properties)
        .filter(([field, schema]) => 'default' in schema && !required.includes(field))
        .map(([field]) => `${name}.${field}`),
    )
    expect(wrong).toEqual([])
  })

  it('has the defaults of a run', () => {
    expect(defaultsOf('RunEndpoint')).toEqual({ debug: false, offset: 0, refresh: 'cache' })
  })
})

/** Fields that differ between two records that were created alike. */
const OWN = new Set([
  'id',
  'key',
  'name',
  'uuid',
  'url',
  'api_token',
  'project_id',
  'endpoint_path',
  'ui_url',
  'usage_dashboard',
  'analytics_dashboards',
])

const alike = (record: object) =>
  JSON.stringify(record, (key, value: unknown) =>
    OWN.has(key) || key.endsWith('_id') || key === 'code_name' ? null : value,
  )

describe('documented defaults', () => {
  const creations: [string, (tenant: Tenant) => string, (name: string) => Record<string, unknown>][] = [
    ['CreateFlag', (tenant) => tenant.flags(), (name) => ({ key: name })],
    [
      'CreateEndpoint',
      (tenant) => tenant.endpoints(),
      (name) => ({ name, query: { kind: 'HogQLQuery', query: 'SELECT 1 AS one' } }),
    ],
    [
      'CreateInsightVariable',
      ({ projectId }) => `/api/projects/${projectId}/insight_variables/`,
      (name) => ({ name, type: 'List' }),
    ],
    ['OrganizationsProjectsCreateBody', () => '/api/organizations/@current/projects/', () => ({})],
    [
      'OrganizationsInvitesCreateBody',
      () => '/api/organizations/@current/invites/',
      (name) => ({ target_email: `${name}@example.com` }),
    ],
  ]

  it.each(creations)('of %s are what an omitted field means', async (schema, pathOf, required) => {
    const defaults = defaultsOf(schema)
    expect(Object.keys(defaults).length).toBeGreaterThan(0)
    const tenant = await createTenant({ level: 8 })
    const without = await tenant.post(pathOf(tenant), required('first'))
    const withThem = await tenant.post(pathOf(tenant), { ...defaults, ...required('second') })
    expect([without.status, withThem.status]).toEqual([201, 201])
    const shown = (body: object) => alike(body).replaceAll('first', 'x').replaceAll('second', 'x')
    expect(shown(withThem.body)).toBe(shown(without.body))
  })
})
