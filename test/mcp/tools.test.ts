// Which tools there are, and who sees them. tool-calls.test.ts calls them.
import { describe, expect, it } from 'vitest'
import { areas, sdkArea } from '../../src/areas'
import { tools as catalogue } from '../support/generated'
import { createTenant } from '../support/tenant'
import { ask, callTool, toolNames } from './support'

/** The specification's nine. */
const NAMED = [
  'feature-flag-get-all',
  'create-feature-flag',
  'feature-flag-get-definition',
  'update-feature-flag',
  'delete-feature-flag',
  'feature-flags-activity-retrieve',
  'feature-flags-status-retrieve',
  'feature-flags-test-evaluation-create',
  'feature-flags-evaluation-reasons-retrieve',
]

/** Operations without a tool, because another tool, or a saved query, does the same, or people call them. */
const DUPLICATES = new Set([
  'organizations_projects_retrieve',
  'organizations_projects_partial_update',
  'organizations_projects_destroy',
  'projects_destroy',
  'endpoints_update',
  'endpoints_run_retrieve',
  'feature_flags_bulk_restore_create',
  'cohorts_update',
  'cohorts_activity_retrieve',
  'cohorts_uses_retrieve',
  'cohorts_persons_retrieve',
  'dashboards_list',
  'dashboards_create',
  'dashboards_partial_update',
  'persons_values_retrieve',
  'groups_property_values_retrieve',
  'events_values_retrieve',
  'ingestion_warnings_list',
  'persons_destroy',
  'scheduled_changes_retrieve',
  'scheduled_changes_partial_update',
  'scheduled_changes_update',
  'actions_list',
  'actions_create',
  'actions_retrieve',
  'actions_partial_update',
  'actions_update',
  'approval_policies_list',
  'approval_policies_create',
  'approval_policies_retrieve',
  'approval_policies_partial_update',
  'approval_policies_update',
  'approval_policies_destroy',
  'change_requests_retrieve',
  'change_requests_approve_create',
  'change_requests_reject_create',
  'change_requests_cancel_create',
  'webhooks_retrieve',
  'webhooks_destroy',
  'webhooks_rotate_secret_create',
  'webhooks_test_create',
  'webhooks_deliveries_redeliver_create',
])

/** Of the list for a key with every scope: what a client adds to the context of its model. */
const MAX_LIST_BYTES = 80 * 1024

describe('the catalogue', () => {
  it('has each name once, in characters that every client takes', () => {
    const names = catalogue.map(({ describes }) => describes.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z0-9-]{1,64}$/.test(name))).toEqual([])
    expect(NAMED.filter((name) => !names.includes(name))).toEqual([])
  })

  it('has a tool for every operation that a key may call and that can succeed', () => {
    const callable = areas
      .flatMap(({ operations }) => operations)
      .filter(({ scope, access, id }) => scope && !access && !id.startsWith('environments_'))
      .filter(({ id }) => !DUPLICATES.has(id))
      .filter(({ responses }) => Object.keys(responses).some((status) => Number(status) < 300))
    const callableBySdks = sdkArea.operations.filter(({ security }) => security === 'personalApiKey')
    expect(callableBySdks.map(({ id }) => id)).toEqual(['local_evaluation'])
    // Deleting a flag never succeeds, and yet is a tool.
    expect(catalogue.length).toBe(callable.length + callableBySdks.length + 1)
  })

  it('refers to nothing outside of a schema', () => {
    const text = JSON.stringify(catalogue)
    expect(text).not.toContain('#/components')
    for (const {
      describes: { inputSchema: schema },
    } of catalogue) {
      const wanted = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name)
      expect(Object.keys((schema.$defs as object | undefined) ?? {}).sort()).toEqual(
        [...new Set(wanted)].sort(),
      )
      expect(schema.type).toBe('object')
    }
  })

  it('has schemas that validators of draft 07 compile', () => {
    const text = JSON.stringify(catalogue)
    for (const keyword of ['prefixItems', 'unevaluatedProperties', '$dynamicRef', 'dependentRequired']) {
      expect(text).not.toContain(`"${keyword}"`)
    }
    expect(text).not.toContain('"items":false')
  })

  it('describes every argument, at least by another tool', () => {
    const bare = catalogue.flatMap(({ describes: { name, description, inputSchema } }) => {
      const fields = Object.entries(inputSchema.properties as Record<string, Record<string, unknown>>)
      const [, other] = /Other fields are described in ([a-z-]+)\.$/.exec(description) ?? []
      const known = catalogue.find(({ describes }) => describes.name === other)?.describes.inputSchema
      return fields
        .filter(([field, schema]) => {
          const elsewhere = (known?.properties as Record<string, { description?: string }> | undefined)?.[
            field
          ]
          return !schema.description && schema.default === undefined && !elsewhere?.description
        })
        .map(([field]) => `${name} ${field}`)
    })
    expect(bare).toEqual([])
  })

  it('has no arguments for an ignored body', () => {
    const said = JSON.stringify(catalogue.map(({ describes }) => describes.inputSchema))
    expect(said).not.toContain('What the body says')
    const run = catalogue.find(({ describes }) => describes.name === 'endpoint-run')!
    expect(run.describes.inputSchema.properties).toMatchObject({
      version: { description: 'Number of the version to run, from 1. Default: the current one.' },
    })
  })

  it('leaves out fields that no model needs', () => {
    const argumentsOf = (tool: string) =>
      Object.keys(
        catalogue.find(({ describes }) => describes.name === tool)!.describes.inputSchema.properties!,
      )
    expect(argumentsOf('create-feature-flag')).toEqual([
      'project_id',
      'name',
      'key',
      'filters',
      'active',
      'archived',
      'ensure_experience_continuity',
      'tags',
      'evaluation_contexts',
      'analytics_dashboards',
      'has_enriched_analytics',
      'is_remote_configuration',
      'has_encrypted_payloads',
      'evaluation_runtime',
      'bucketing_identifier',
    ])
    expect(argumentsOf('users-scene-personalisation-create')).toEqual(['uuid', 'scene', 'dashboard'])
  })

  it('marks tools that only read, and tools that delete', () => {
    const hints = Object.fromEntries(
      catalogue.map(({ describes }) => [describes.name, describes.annotations]),
    )
    const reads = { readOnlyHint: true, openWorldHint: false }
    const adds = { destructiveHint: false, openWorldHint: false }
    const takes = { openWorldHint: false }
    expect(hints).toMatchObject({
      'feature-flag-get-all': reads,
      'feature-flags-test-evaluation-create': reads,
      'endpoint-run': reads,
      'create-feature-flag': adds,
      'endpoint-create': adds,
      'update-feature-flag': takes,
      // Each repetition is another version, and an entry in the log.
      'delete-feature-flag': takes,
      'endpoint-delete': { ...takes, idempotentHint: true },
      'feature-flags-bulk-delete-create': takes,
    })
  })
})

describe('tools/list', () => {
  it('fits the context of a model', async () => {
    const { body } = await ask(await createTenant(), 'tools/list')
    expect(new TextEncoder().encode(JSON.stringify(body.result)).byteLength).toBeLessThan(MAX_LIST_BYTES)
  })

  it('shows a key with all scopes everything, as it was written', async () => {
    const { body } = await ask(await createTenant(), 'tools/list')
    expect(body.result).toEqual({
      tools: JSON.parse(JSON.stringify(catalogue.map(({ describes }) => describes))),
    })
  })

  it('shows a key only the tools that it may call', async () => {
    const tenant = await createTenant()
    const reader = await tenant.withKey({ scopes: ['feature_flag:read'] })
    const seen = await toolNames(reader)
    const expected = catalogue.filter(({ scope }) => scope === 'any' || scope === 'feature_flag:read')
    expect(seen).toEqual(expected.map(({ describes }) => describes.name))
    expect(seen).toContain('feature-flag-get-all')
    expect(seen).not.toContain('create-feature-flag')
    expect(seen).not.toContain('endpoint-run')
  })

  it('shows the holder of a write scope what reads, too', async () => {
    const writer = await (await createTenant()).withKey({ scopes: ['feature_flag:write'] })
    const seen = await toolNames(writer)
    expect(seen).toContain('feature-flag-get-all')
    expect(seen).toContain('delete-feature-flag')
    expect(seen).not.toContain('feature-flags-activity-retrieve')
  })

  it('shows a key that is restricted to projects what its restriction leaves open', async () => {
    const tenant = await createTenant()
    const restricted = await tenant.withKey({ scopedTeams: [tenant.projectId] })
    const seen = await toolNames(restricted)
    const closed: string[] = []
    for (const { describes, call } of catalogue) {
      const needed = Object.entries(call.inPath).flatMap(([name, value]) => (value === null ? [name] : []))
      // An update without a field to change is refused before its operation is called.
      const changed = Object.keys(describes.inputSchema.properties as object).find(
        (name) => call.takesBody && !Object.hasOwn(call.inPath, name),
      )
      const given = Object.fromEntries([...needed, ...(changed ? [changed] : [])].map((name) => [name, '1']))
      const { body } = await callTool(restricted, describes.name, given)
      if (body.result.content[0].text.includes('API keys with scoped projects')) closed.push(describes.name)
    }
    expect(seen).toEqual(
      catalogue.map(({ describes }) => describes.name).filter((name) => !closed.includes(name)),
    )
    expect(closed).toContain('organizations-list')
    expect(seen).toEqual(
      expect.arrayContaining(['feature-flag-get-all', 'project-get', 'user-get', 'local-evaluation']),
    )
  })

  it('shows a key that is restricted to one project that project in place of the current one', async () => {
    const tenant = await createTenant()
    const defaults = async (scopedTeams: number[]) => {
      const { body } = await ask(await tenant.withKey({ scopedTeams }), 'tools/list')
      const tools = body.result.tools as {
        inputSchema: { properties: Record<string, { default?: string }> }
      }[]
      const all = tools.map(({ inputSchema }) => inputSchema.properties.project_id?.default)
      return new Set(all.filter((each) => each !== undefined))
    }
    expect(await defaults([])).toEqual(new Set(['@current']))
    expect(await defaults([tenant.projectId])).toEqual(new Set([String(tenant.projectId)]))
    expect(await defaults([tenant.projectId, 1])).toEqual(new Set(['@current']))
  })
})
