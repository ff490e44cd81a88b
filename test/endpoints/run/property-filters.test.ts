// Property filters of `{filters}` and of insights: each operator and type.
import { beforeAll, describe, expect, it } from 'vitest'
import { event, sendEach } from '../../support/capture'
import { hogql } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const chain = (text: string) =>
    `a.btn:attr__href="/x"href="/${text}"nth-child="1"text="${text}";div:nth-child="2"`
  await sendEach(tenant, [
    event(
      'ada',
      { plan: 'pro', day: '2025-12-31', amount: 5, version: '1.9.3', '$feature/new': true },
      'one',
    ),
    event(
      'bob',
      { plan: 'free', day: '2026-01-15', amount: 15, version: '1.10.0', '$feature/new': false },
      'two',
    ),
    event(
      'cy',
      { plan: 'Project', day: '2026-03-01', amount: 25, version: 'x', '$feature/new': 'test' },
      'three',
    ),
    event('dee', { $elements_chain: chain('Buy') }, 'four'),
  ])
})

async function eventsWith(filter: object): Promise<unknown> {
  const query = hogql('SELECT event FROM events WHERE {filters} ORDER BY event', {
    filters: { properties: [filter] },
  })
  const { status, body } = await tenant.post(`/api/projects/${tenant.projectId}/query/`, { query })
  return status === 200 ? (body.results as string[][]).flat().join(' ') : body
}

describe('operators', () => {
  it.each([
    ['regex', 'plan', '^[Pp]ro', 'one three'],
    ['not_regex', 'plan', '^[Pp]ro', 'four two'],
    ['between', 'amount', [5, 15], 'one two'],
    ['not_between', 'amount', ['5', '15'], 'three'],
    ['exact', 'plan', [], 'four one three two'],
    ['is_not', 'plan', [], 'four one three two'],
    ['icontains', 'plan', [], 'four one three two'],
    ['gt', 'amount', [], 'four one three two'],
    ['is_set', 'plan', [], 'one three two'],
    ['icontains', 'plan', 'r_j', 'three'],
    ['icontains', 'plan', ['r_j', 'f%e'], ''],
    ['icontains_multi', 'plan', 'r_j', ''],
    ['is_date_before', 'day', ['2026-01-01', '2026-02-01'], 'one two'],
    ['is_date_exact', 'day', ['2026-01-15', '2025-12-31'], 'one two'],
    ['icontains_multi', 'plan', ['REE', 'ject'], 'three two'],
    ['not_icontains_multi', 'plan', ['REE', 'ject'], 'four one'],
    ['semver_eq', 'version', 'v1.9.3', 'one'],
    ['semver_neq', 'version', '1.9.3', 'two'],
    ['semver_gt', 'version', '1.9.3', 'two'],
    ['semver_gte', 'version', '1.9.3', 'one two'],
    ['semver_lt', 'version', '1.10.0', 'one'],
    ['semver_lte', 'version', '1.10', 'one two'],
    ['semver_tilde', 'version', '1.9.1', 'one'],
    ['semver_tilde', 'version', '1.10', 'two'],
    ['semver_tilde', 'version', '1', 'one two'],
    ['semver_caret', 'version', '1.9.1', 'one two'],
    ['semver_wildcard', 'version', '1.10.*', 'two'],
  ])('%s of %s', async (operator, key, value, expected) => {
    expect(await eventsWith({ type: 'event', key, operator, value })).toBe(expected)
  })
})

describe('types', () => {
  it.each([
    ['hogql', { key: "properties.plan = 'pro' OR event = 'two'" }, 'one two'],
    ['flag', { key: 'new', operator: 'flag_evaluates_to', value: true }, 'one three'],
    ['flag', { key: 'new', operator: 'flag_evaluates_to', value: false }, 'two'],
    ['flag', { key: 'new', operator: 'flag_evaluates_to', value: 'test' }, 'three'],
    ['element', { key: 'text', operator: 'exact', value: ['Buy'] }, 'four'],
    ['element', { key: 'text', operator: 'icontains', value: 'bu' }, 'four'],
    ['element', { key: 'text', operator: 'not_icontains', value: 'bu' }, 'one three two'],
    ['element', { key: 'tag_name', operator: 'exact', value: 'a' }, 'four'],
    ['element', { key: 'tag_name', operator: 'exact', value: ['h1', 'div'] }, 'four'],
    ['element', { key: 'tag_name', operator: 'is_not', value: 'div' }, 'one three two'],
    ['element', { key: 'tag_name', operator: 'exact', value: 'btn' }, ''],
    ['element', { key: 'href', operator: 'exact', value: '/Buy' }, 'four'],
  ])('%s %j', async (type, filter, expected) => {
    expect(await eventsWith({ type, ...filter })).toBe(expected)
  })
})

it('filters insights by HogQL and by regular expressions', async () => {
  const properties = [
    { type: 'hogql', key: 'properties.amount > 1' },
    { type: 'event', key: 'plan', operator: 'regex', value: '^p' },
  ]
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: null, properties }],
    dateRange: { date_from: '-30d' },
    trendsFilter: { display: 'BoldNumber' },
  }
  const { name } = await tenant.endpoint({ query })
  const { body } = await tenant.post(tenant.endpoints(`${name}/run`), {})
  expect((body.results as { aggregated_value: number }[])[0]?.aggregated_value).toBe(1)
})
