// Answers about flags, held to the document: every member that it names, and none that it does not.
import { Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '../support/generated'
import { configureProject, earlyAccessFeature, runningExperiment, survey } from '../support/database/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, publishSilently } from '../sdk/flags-support'

// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
type Json = Record<string, any>

const { components } = openApi<Json>()

/** Where members are named and nothing is said of others, there are no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts: Json = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  const isClosed = parts.type === 'object' && parts.properties && !('additionalProperties' in parts)
  return isClosed ? { ...parts, additionalProperties: false } : parts
}

const schemas = closed(components.schemas) as Json

/** What is wrong with a value under a schema of the document. */
const faultsOf = (name: string, value: unknown): string[] =>
  new Validator({ ...schemas[name], components: { schemas } }, '2020-12', false)
    .validate(value)
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)

/** A flag with one of everything that filters can have. */
const RICH = {
  key: 'rich',
  filters: {
    groups: [
      {
        properties: [
          { key: 'email', type: 'person', operator: 'is_set' },
          { key: 'plan', type: 'person', value: ['pro', 'team'] },
        ],
        rollout_percentage: 12.5,
        variant: 'b',
      },
      { properties: [], rollout_percentage: null },
    ],
    multivariate: {
      variants: [
        { key: 'a', name: 'First', rollout_percentage: 33.4 },
        { key: 'b', rollout_percentage: 66.6 },
      ],
    },
    payloads: { a: { size: 1 }, b: 'null' },
    holdout: { id: 4, exclusion_percentage: 5 },
    early_exit: true,
    feature_enrollment: null,
  },
}

let tenant: Tenant
let rich: Json
beforeAll(async () => {
  tenant = await createTenant()
  rich = await tenant.flag(RICH)
  await Promise.all([
    runningExperiment(tenant, rich.id),
    earlyAccessFeature(tenant, rich.id),
    survey(tenant, rich.id),
  ])
  await tenant.flag({
    key: 'leaning',
    filters: {
      groups: [{ properties: [{ key: rich.id, type: 'flag', operator: 'flag_evaluates_to', value: 'a' }] }],
    },
  })
  await tenant.flag({ key: 'config', is_remote_configuration: true, filters: { payloads: { true: [1] } } })
  await publishSilently(tenant)
})

describe('the document', () => {
  it('names everything that a flag shows', async () => {
    const { body } = await tenant.get(tenant.flags(rich.id))
    expect(Object.keys(body.features)).toHaveLength(1)
    expect(Object.keys(body.surveys)).toHaveLength(1)
    expect(faultsOf('FeatureFlag', body)).toEqual([])
  })

  it('names all results of its evaluation', async () => {
    const [mine, tested, status] = await Promise.all([
      tenant.get(tenant.flags('my_flags')),
      tenant.post(tenant.flags(`${rich.id}/test_evaluation`), { distinct_id: 'user-3' }),
      tenant.get(tenant.flags(`${rich.id}/status`)),
    ])
    expect(mine.body).toHaveLength(3)
    expect((mine.body as unknown[]).flatMap((each) => faultsOf('MyFlag', each))).toEqual([])
    expect(faultsOf('TestEvaluationResult', tested.body)).toEqual([])
    expect(faultsOf('FlagStatus', status.body)).toEqual([])
  })

  it('names all fields of the response for a missing person', async () => {
    const { status, body } = await tenant.post(tenant.flags(`${rich.id}/test_evaluation`), {
      person_id: '019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21',
    })
    expect(status).toBe(404)
    expect(faultsOf('PersonMissing', body)).toEqual([])
  })

  it('names everything that SDKs evaluate by', async () => {
    const { body } = await tenant.get('/api/feature_flag/local_evaluation/')
    expect(body.flags.map(({ key }: Json) => key)).toEqual(['config', 'leaning', 'rich'])
    expect(faultsOf('LocalEvaluation', body)).toEqual([])
  })

  it.each(['/flags/?v=2', '/flags/?v=1', '/decide/?v=3', '/decide/?v=2', '/decide/'])(
    'names everything that %s answers',
    async (path) => {
      const { status, body } = await ask(tenant, { distinct_id: 'user-3' }, path)
      expect(status).toBe(200)
      expect(faultsOf('FlagsResponse', body)).toEqual([])
    },
  )

  it('knows every type of error', async () => {
    const limited = await createTenant()
    await configureProject(limited, { quotaLimited: ['feature_flags'] })
    await publishSilently(limited)
    const { status, body } = await limited.get('/api/feature_flag/local_evaluation/')
    expect(status).toBe(402)
    expect(faultsOf('Error', body)).toEqual([])
  })

  it('has bodies that the service accepts', async () => {
    const other = await createTenant()
    const example = (name: string) => components.schemas[name].examples[0] as unknown
    const made = await other.post(other.flags(), example('CreateFlag'))
    expect(made.status).toBe(201)
    const updated = await other.patch(other.flags(made.body.id), example('UpdateFlag'))
    expect(updated).toMatchObject({ status: 200, body: { version: 2 } })
    for (const [path, name] of [
      [`${made.body.id}/test_evaluation`, 'TestEvaluation'],
      ['user_blast_radius', 'BlastRadiusRequest'],
      ['bulk_keys', 'BulkKeys'],
      ['bulk_update_tags', 'BulkUpdateTags'],
      ['bulk_delete', 'BulkDelete'],
    ] as const) {
      expect([name, (await other.post(other.flags(path), example(name))).status]).toEqual([name, 200])
    }
  })
})
