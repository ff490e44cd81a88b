import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { createMaterializingTenant } from '../../support/endpoints/materialization'
import { configuredEndpoint } from '../../support/endpoints/materialization-settings'
import { cohort } from '../../support/database/rows'
import { PROPERTY_OPERATORS } from '../../../src/evaluation/matchers/operators'
import { createTenant, type Tenant } from '../../support/tenant'

const documentOf = async (tenant: Tenant, name: string, search = '') =>
  (await tenant.get(tenant.endpoints(`${name}/openapi.json`) + search)).body

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('GET endpoints/:name/openapi.json', () => {
  it('describes the run of an endpoint without variables', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'top-events', description: 'What happened most.' })
    const response = await tenant.get(tenant.endpoints('top-events/openapi.json'))
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    const { paths, components, ...head } = response.body
    expect(head).toEqual({
      openapi: '3.0.3',
      info: { title: 'top-events', description: 'What happened most.', version: '1' },
      servers: [{ url: 'https://halyard.test' }],
    })
    expect(paths).toEqual({
      [`/api/projects/${tenant.projectId}/endpoints/top-events/run`]: {
        post: {
          operationId: 'run_top_events',
          summary: 'Execute top-events',
          description: 'What happened most.',
          security: [{ PersonalAPIKey: [] }],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: ref('EndpointRunRequest') } },
          },
          responses: {
            200: {
              description: expect.any(String),
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      results: { type: 'array', items: {}, description: expect.any(String) },
                      columns: {
                        type: 'array',
                        items: { type: 'string' },
                        description: expect.any(String),
                      },
                      hasMore: { type: 'boolean', description: expect.any(String) },
                    },
                    required: ['results'],
                  },
                },
              },
            },
            400: { description: expect.any(String) },
            401: { description: expect.any(String) },
            404: { description: expect.any(String) },
          },
        },
      },
    })
    expect(components.securitySchemes).toEqual({ PersonalAPIKey: { type: 'http', scheme: 'bearer' } })
    expect(Object.keys(components.schemas)).toEqual(['EndpointRunRequest'])
    const request = components.schemas.EndpointRunRequest
    expect(Object.keys(request.properties).toSorted()).toEqual([
      'client_query_id',
      'debug',
      'limit',
      'offset',
      'refresh',
      'version',
    ])
    expect(request.properties).toMatchObject({
      refresh: { enum: ['cache', 'force', 'direct'], default: 'cache' },
      limit: { type: 'integer', minimum: 1 },
      offset: { type: 'integer', minimum: 0 },
      debug: { type: 'boolean', default: false },
    })
    expect(request).not.toHaveProperty('required')
  })

  it('has a default description', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'top' })
    const { info, paths } = await documentOf(tenant, 'top')
    expect(info.description).toBe('PostHog Endpoint: top')
    expect(Object.values<{ post: object }>(paths)[0]!.post).not.toHaveProperty('description')
  })

  it('gives variables their types, and requires those without a value', async () => {
    const tenant = await createTenant()
    const variables = [
      { name: 'Text', type: 'String', default_value: 'a' },
      { name: 'Amount', type: 'Number', default_value: 0 },
      { name: 'Flag', type: 'Boolean', default_value: false },
      { name: 'Names', type: 'List', default_value: ['a'] },
      { name: 'Day', type: 'Date', default_value: null },
      { name: 'Gone', type: 'Number', default_value: 1 },
    ]
    const made = []
    for (const variable of variables) made.push(await tenant.variable(variable))
    await tenant.endpoint({
      name: 'many',
      query: hogql(
        `SELECT count() FROM events WHERE event = {variables.text} AND length(event) > {variables.amount}
          AND {variables.flag} AND event IN {variables.names} AND timestamp > {variables.day} AND 1 = {variables.gone}`,
      ),
    })
    await tenant.delete(`/api/projects/${tenant.projectId}/insight_variables/${made.at(-1).id}/`)
    const { paths, components } = await documentOf(tenant, 'many')
    expect(components.schemas.Variables).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', example: 'a' },
        amount: { type: 'number', example: 0 },
        flag: { type: 'boolean', example: false },
        names: { type: 'array', items: { type: 'string' }, example: ['a'] },
        day: { type: 'string', format: 'date' },
        gone: { type: 'string' },
      },
      required: ['day'],
      additionalProperties: false,
    })
    expect(components.schemas.EndpointRunRequest).toMatchObject({
      properties: { variables: ref('Variables') },
      required: ['variables'],
    })
    expect(Object.values<{ post: unknown }>(paths)[0]!.post).toMatchObject({
      requestBody: { required: true },
    })
  })

  it('requires all variables of a materialized query', async () => {
    const tenant = await createMaterializingTenant()
    await tenant.variable({ name: 'Event', type: 'String', default_value: 'opened' })
    await configuredEndpoint(tenant, {
      name: 'top',
      query: hogql('SELECT count() AS n FROM events WHERE event = {variables.event}'),
    })
    const document = await documentOf(tenant, 'top')
    expect(document.components.schemas.Variables).toMatchObject({
      properties: { event: { type: 'string', example: 'opened' } },
      required: ['event'],
    })
    expect(document.components.schemas.EndpointRunRequest).toMatchObject({ required: ['variables'] })
  })

  it('describes the result of a funnel with the time to convert as an object', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({
      name: 'speed',
      query: {
        kind: 'FunnelsQuery',
        series: [{ event: 'opened' }, { event: 'bought' }],
        funnelsFilter: { funnelVizType: 'time_to_convert' },
      },
    })
    const { paths } = await documentOf(tenant, 'speed')
    expect(Object.values<{ post: unknown }>(paths)[0]!.post).toMatchObject({
      responses: {
        200: { content: { 'application/json': { schema: { properties: { results: { type: 'object' } } } } } },
      },
    })
  })

  it('knows variables whose ids are written in upper case', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.variable({ name: 'Amount', type: 'Number', default_value: 1 })
    const variableId = id.toUpperCase()
    await tenant.endpoint({
      name: 'sized',
      query: hogql('SELECT {variables.amount} AS n', {
        variables: { [variableId]: { variableId, code_name: 'amount', value: 3 } },
      }),
    })
    const { components } = await documentOf(tenant, 'sized')
    expect(components.schemas.Variables.properties).toEqual({ amount: { type: 'number', example: 3 } })
  })

  it('offers every supported operator of filters, and no unsupported filter', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'trend', query: trends() })
    const { type, operator } = (await documentOf(tenant, 'trend')).components.schemas.PropertyFilter
      .properties
    const filterBy = (filter: object) => ({
      filters_override: { properties: [{ key: 'plan', value: '2026-03-01', ...filter }] },
    })
    const run = async (filter: object) =>
      seen(await tenant.post(tenant.endpoints('trend/run'), filterBy(filter)))
    const members = await cohort(tenant, [], { isStatic: true })
    const VALUES: Record<string, object> = {
      session: { key: '$session_duration', value: 1 },
      element: { key: 'text' },
      group: { group_type_index: 0 },
      flag: { value: true },
      hogql: { key: '1 = 1' },
      between: { value: [1, 2] },
      not_between: { value: [1, 2] },
    }
    const valueOf = (name: string) =>
      VALUES[name] ??
      (name.startsWith('semver_') ? { value: name === 'semver_wildcard' ? '1.2.*' : '1.2.3' } : {})
    for (const each of type.enum) {
      const value = VALUES[each] ?? (each === 'cohort' ? { value: members } : {})
      expect([each, (await run({ type: each, ...value })).status]).toEqual([each, 200])
    }
    expect(operator.enum).toEqual(PROPERTY_OPERATORS.filter((name) => name !== 'flag_evaluates_to'))
    for (const each of operator.enum.filter((name: string) => !name.includes('regex'))) {
      expect([each, (await run({ operator: each, ...valueOf(each) })).status]).toEqual([each, 200])
    }
    expect(await run({ operator: 'near' })).toEqual(
      refused(
        'filters_override',
        `Invalid HogQL query: The operator 'near' of the filter on 'plan' is not supported. Supported: ${operator.enum.join(', ')}`,
      ),
    )
  })

  it('offers the breakdowns and dates of an insight', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({
      name: 'trend',
      query: trends({ breakdownFilter: { breakdowns: [{ property: '$browser' }, { property: 'plan' }] } }),
      optional_breakdown_properties: ['plan'],
    })
    const { components } = await documentOf(tenant, 'trend')
    const { properties } = components.schemas.EndpointRunRequest
    expect(properties.filters_override).toEqual(ref('DashboardFilter'))
    expect(properties).not.toHaveProperty('limit')
    expect(components.schemas.Variables).toMatchObject({
      properties: {
        $browser: { type: 'string' },
        plan: { type: 'string' },
        date_from: { type: 'string' },
        date_to: { type: 'string' },
      },
    })
    expect(components.schemas.Variables).not.toHaveProperty('required')
    expect(components.schemas.EndpointRunRequest).not.toHaveProperty('required')
  })

  it('describes the requested version', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'top', description: 'Old.' })
    await tenant.patch(tenant.endpoints('top'), { query: trends(), description: 'New.' })
    expect(await documentOf(tenant, 'top')).toMatchObject({ info: { version: '2', description: 'New.' } })
    expect(await documentOf(tenant, 'top', '?version=1')).toMatchObject({
      info: { version: '1', description: 'Old.' },
    })
  })

  it('responds with 404 for an unknown endpoint', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'top' })
    const at = (rest: string) => `/api/projects/${tenant.projectId}/endpoints/${rest}`
    expect(seen(await tenant.get(at('none/openapi.json/')))).toEqual({
      status: 404,
      body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    })
    expect(seen(await tenant.get(at('top/openapi.json/?version=2')))).toEqual({
      status: 404,
      body: { error: 'Version 2 not found' },
    })
    expect(seen(await tenant.get(at('top/openapi.json/?version=x')))).toEqual(
      refused('version', 'Must be an integer, got: x'),
    )
  })
})
