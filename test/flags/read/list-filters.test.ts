// Every filter of the list: a value is honoured or rejected.
import { beforeAll, describe, expect, it } from 'vitest'
import { experiment } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

/** The keys that a filter leaves, in alphabetical order; the count has to agree. */
async function listed(tenant: Tenant, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await tenant.get(`${tenant.flags()}?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  expect(body.count).toBe(body.results.length)
  return body.results.map(({ key }: { key: string }) => key).sort()
}

/** A value that no filter takes: 400 that names the filter, in the list and in `matching_ids`. */
async function expectRejected(tenant: Tenant, name: string, value: string): Promise<void> {
  for (const path of [tenant.flags(), tenant.flags('matching_ids')]) {
    const { status, body } = await tenant.get(`${path}?${new URLSearchParams({ [name]: value })}`)
    expect([status, body], `${name}=${value}`).toEqual([
      400,
      { type: 'validation_error', code: expect.any(String), detail: expect.any(String), attr: name },
    ])
  }
}

const variants = (...shares: number[]) => ({
  groups: [{ properties: [], rollout_percentage: 50 }],
  multivariate: {
    variants: shares.map((share, at) => ({ key: `v${at}`, rollout_percentage: share })),
  },
})

describe('list filter active', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
    await tenant.flag({ key: 'on' })
    await tenant.flag({ key: 'off', active: false })
  })

  it.each([
    ['true', ['on']],
    ['TRUE', ['on']],
    ['True', ['on']],
    ['false', ['off']],
    ['1', ['on']],
    ['yes', ['on']],
    ['0', ['off']],
    ['no', ['off']],
    ['stale', []],
    ['STALE', []],
  ])('active=%s', async (active, expected) => {
    expect(await listed(tenant, { active })).toEqual(expected)
  })

  it.each(['', 'enabled', 'null', '2', '["true"]'])('rejects active=%s', async (active) => {
    await expectRejected(tenant, 'active', active)
  })
})

describe('list filter archived', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
    await tenant.flag({ key: 'current' })
    await tenant.flag({ key: 'off', active: false })
    await tenant.flag({ key: 'archived', active: false, archived: true })
  })

  it.each([
    [undefined, ['current', 'off']],
    ['false', ['current', 'off']],
    ['0', ['current', 'off']],
    ['true', ['archived']],
    ['TRUE', ['archived']],
    ['t', ['archived']],
    ['Y', ['archived']],
    ['yes', ['archived']],
    ['on', ['archived']],
    ['1', ['archived']],
  ])('archived=%s', async (archived, expected) => {
    expect(await listed(tenant, archived === undefined ? {} : { archived })).toEqual(expected)
  })

  it.each(['', '2', 'archived'])('rejects archived=%s', async (archived) => {
    await expectRejected(tenant, 'archived', archived)
  })
})

describe('list filter created_by_id', () => {
  it('takes one id, a comma list or a JSON array, and rejects every other value', async () => {
    const tenant = await createTenant()
    const other = await createTenant()
    const me = String(tenant.user.id)
    const them = String(other.user.id)
    await tenant.flag({ key: 'mine' })

    for (const mine of [me, ` ${me} `, `${them},${me}`, `[${me}]`, `["${me}", ${them}]`]) {
      expect(await listed(tenant, { created_by_id: mine })).toEqual(['mine'])
    }
    for (const theirs of [them, `[${them}]`, `["${them}"]`]) {
      expect(await listed(tenant, { created_by_id: theirs })).toEqual([])
    }
    expect(await listed(tenant, { created_by_id: '[]' })).toEqual(['mine'])
    const none = [
      'abc',
      '[5',
      '',
      '["x"]',
      ',',
      'null',
      '{}',
      '-1',
      '1.5',
      `${me}, x`,
      `${me},`,
      `[${me}, null]`,
    ]
    for (const value of none) await expectRejected(tenant, 'created_by_id', value)
  })
})

describe('list filter type', () => {
  async function tenantWithEveryType() {
    const tenant = await createTenant()
    await tenant.flag({ key: 'plain' })
    await tenant.flag({ key: 'no-variants', filters: variants() })
    await tenant.flag({ key: 'many', filters: variants(50, 50) })
    await tenant.flag({ key: 'config', is_remote_configuration: true })
    const tested = await tenant.flag({ key: 'tested', filters: variants(50, 50) })
    await experiment(tenant, tested.id)
    const formerly = await tenant.flag({ key: 'formerly-tested' })
    await experiment(tenant, formerly.id, { deleted: true })
    return tenant
  }

  it('filters flags by variants, experiments and remote configuration', async () => {
    const tenant = await tenantWithEveryType()
    expect(await listed(tenant, { type: 'boolean' })).toEqual([
      'config',
      'formerly-tested',
      'no-variants',
      'plain',
    ])
    expect(await listed(tenant, { type: 'multivariant' })).toEqual(['many', 'tested'])
    expect(await listed(tenant, { type: 'experiment' })).toEqual(['formerly-tested', 'tested'])
    expect(await listed(tenant, { type: 'remote_config' })).toEqual(['config'])
    for (const type of ['', 'Boolean', 'multivariate', 'x']) await expectRejected(tenant, 'type', type)
  })

  it('names the type that a rejected one may be meant to be', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.get(`${tenant.flags()}?type=multivariate`)
    expect(body).toEqual({
      type: 'validation_error',
      code: 'invalid_choice',
      detail:
        '"multivariate" is not a valid choice. Did you mean multivariant? Valid choices: boolean, experiment, multivariant, remote_config.',
      attr: 'type',
    })
  })
})

describe('list filter evaluation_runtime', () => {
  it('is exact: all does not mean any', async () => {
    const tenant = await createTenant()
    for (const runtime of ['all', 'client', 'server'])
      await tenant.flag({ key: runtime, evaluation_runtime: runtime })
    await tenant.flag({ key: 'unset', evaluation_runtime: null })
    for (const runtime of ['all', 'client', 'server'])
      expect(await listed(tenant, { evaluation_runtime: runtime })).toEqual([runtime])
    for (const runtime of ['ALL', 'edge', '']) await expectRejected(tenant, 'evaluation_runtime', runtime)
  })
})

describe('list filters tags and excluded_tags', () => {
  async function tenantWithTags() {
    const tenant = await createTenant()
    await tenant.flag({ key: 'ab', tags: ['a', 'b'] })
    await tenant.flag({ key: 'b', tags: ['B'] })
    await tenant.flag({ key: 'quoted', tags: ['it\'s "c", d'] })
    await tenant.flag({ key: 'none' })
    return tenant
  }
  const all = ['ab', 'b', 'none', 'quoted']
  const unreadable = [
    '[a]',
    '["a"',
    '',
    ' ',
    ',',
    '{}',
    '{"a":1}',
    '"a"',
    '[1]',
    '["a", null]',
    '[["a"]]',
    '["a", " "]',
  ]

  it('tags keeps flags that carry at least one', async () => {
    const tenant = await tenantWithTags()
    expect(await listed(tenant, { tags: '["a"]' })).toEqual(['ab'])
    expect(await listed(tenant, { tags: '["b"]' })).toEqual(['ab', 'b'])
    expect(await listed(tenant, { tags: '["a", "b", "x"]' })).toEqual(['ab', 'b'])
    expect(await listed(tenant, { tags: '[" B "]' })).toEqual(['ab', 'b'])
    expect(await listed(tenant, { tags: 'a' })).toEqual(['ab'])
    expect(await listed(tenant, { tags: 'x, A' })).toEqual(['ab'])
    expect(await listed(tenant, { tags: '[]' })).toEqual(all)
    expect(await listed(tenant, { tags: '["x"]' })).toEqual([])
    expect(await listed(tenant, { tags: JSON.stringify(['it\'s "c", d']) })).toEqual(['quoted'])
    for (const tags of unreadable) await expectRejected(tenant, 'tags', tags)
  })

  it('excluded_tags drops flags that carry any', async () => {
    const tenant = await tenantWithTags()
    expect(await listed(tenant, { excluded_tags: '["a"]' })).toEqual(['b', 'none', 'quoted'])
    expect(await listed(tenant, { excluded_tags: '["b", "x"]' })).toEqual(['none', 'quoted'])
    expect(await listed(tenant, { excluded_tags: '["x"]' })).toEqual(all)
    expect(await listed(tenant, { excluded_tags: 'A' })).toEqual(['b', 'none', 'quoted'])
    expect(await listed(tenant, { excluded_tags: '[]' })).toEqual(all)
    for (const excluded of unreadable) await expectRejected(tenant, 'excluded_tags', excluded)
  })

  it('both combine', async () => {
    const tenant = await tenantWithTags()
    expect(await listed(tenant, { tags: '["b"]', excluded_tags: '["a"]' })).toEqual(['b'])
  })
})

describe('list filter excluded_properties', () => {
  it('leaves out flags by key', async () => {
    const tenant = await createTenant()
    for (const key of ['a', 'b', 'c']) await tenant.flag({ key })
    expect(await listed(tenant, { excluded_properties: '["a", "c", "x"]' })).toEqual(['b'])
    expect(await listed(tenant, { excluded_properties: 'a, b' })).toEqual(['c'])
    for (const none of ['[]', '["A"]'])
      expect(await listed(tenant, { excluded_properties: none })).toEqual(['a', 'b', 'c'])
    for (const unreadable of ['["a"', '', '{}', '[1]'])
      await expectRejected(tenant, 'excluded_properties', unreadable)
  })
})

describe('list filter has_evaluation_contexts', () => {
  it.each([
    ['true', ['some']],
    ['1', ['some']],
    ['Yes', ['some']],
    ['false', ['none']],
    ['NO', ['none']],
  ])('has_evaluation_contexts=%s', async (value, expected) => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'some', evaluation_contexts: ['web', 'ios'] })
    await tenant.flag({ key: 'none' })
    expect(await listed(tenant, { has_evaluation_contexts: value })).toEqual(expected)
  })

  it.each(['', '2', 'web'])('rejects has_evaluation_contexts=%s', async (value) => {
    await expectRejected(await createTenant(), 'has_evaluation_contexts', value)
  })
})

describe('list filters together', () => {
  it('combine with AND', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'web-on', tags: ['web'], evaluation_runtime: 'client' })
    await tenant.flag({ key: 'web-off', tags: ['web'], active: false, evaluation_runtime: 'client' })
    await tenant.flag({ key: 'web-server', tags: ['web'], evaluation_runtime: 'server' })
    await tenant.flag({ key: 'app-on', tags: ['app'], evaluation_runtime: 'client' })
    const query = {
      active: 'true',
      tags: '["web"]',
      evaluation_runtime: 'client',
      type: 'boolean',
      search: 'on',
    }
    expect(await listed(tenant, query)).toEqual(['web-on'])
  })
})

describe('parameters of the list', () => {
  it('rejects one that it does not have, and names the closest one', async () => {
    const tenant = await createTenant()
    for (const path of [tenant.flags(), tenant.flags('matching_ids')]) {
      expect((await tenant.get(`${path}?activ=true`)).body).toEqual({
        type: 'validation_error',
        code: 'unknown_field',
        detail: 'Unknown parameter: activ. Did you mean active?',
        attr: 'activ',
      })
      expect((await tenant.get(`${path}?colour=red`)).status).toBe(400)
    }
  })

  it('rejects one that is given twice: only the last would count', async () => {
    const tenant = await createTenant()
    const { status, body } = await tenant.get(`${tenant.flags()}?tags=a&tags=b`)
    expect([status, body]).toEqual([
      400,
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'The parameter tags is given more than once.',
        attr: 'tags',
      },
    ])
  })
})
