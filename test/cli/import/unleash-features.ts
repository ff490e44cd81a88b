// Features of every kind for the real Unleash, whose answers are recorded.
import type { Unleash } from '../../bench/api/unleash'
import type { Json } from './service'

type Call = <T = Json>(method: string, path: string, body?: unknown) => Promise<T>

const callOf =
  ({ url, headers }: Unleash): Call =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/api/admin/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    const text = await answer.text()
    return (text === '' ? null : JSON.parse(text)) as T
  }

const constraint = (contextName: string, operator: string, more: Json): Json => ({
  contextName,
  operator,
  inverted: false,
  caseInsensitive: false,
  ...more,
})

const rollout = (share: number, more: Json = {}): Json => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(share), stickiness: 'default', groupId: 'any' },
  ...more,
})
const to = (...constraints: Json[]): Json => rollout(100, { constraints })

export async function fillUnleash(unleash: Unleash): Promise<void> {
  const call = callOf(unleash)
  /** Creates a feature, with strategies in production. */
  const feature = async (
    name: string,
    strategies: readonly Json[],
    { on = true, ...fields }: Json = {},
  ): Promise<void> => {
    await call('POST', 'projects/default/features', { name, type: 'release', ...fields })
    for (const strategy of strategies)
      await call('POST', `projects/default/features/${name}/environments/production/strategies`, strategy)
    if (on) await call('POST', `projects/default/features/${name}/environments/production/on`)
  }

  for (const name of ['country', 'email', 'age', 'version'])
    await call('POST', 'context', { name }).catch(() => null)
  const { id: segment } = await call<{ id: number }>('POST', 'segments', {
    name: 'Staff',
    description: 'by address',
    constraints: [constraint('email', 'STR_ENDS_WITH', { values: ['@example.com'], caseInsensitive: true })],
  })
  await call('POST', 'strategies', { name: 'by-moon', parameters: [] })
  await feature('everybody', [rollout(100)], { description: 'For everybody' })
  await feature('in', [to(constraint('country', 'IN', { values: ['FR', 'DE'] }))])
  await feature('not-in', [to(constraint('country', 'NOT_IN', { values: ['FR', 'DE'] }))])
  await feature('inverted-in', [to(constraint('country', 'IN', { values: ['FR'], inverted: true }))])
  await feature('contains', [to(constraint('email', 'STR_CONTAINS', { values: ['exam.ple', 'ample'] }))])
  await feature('contains-any-case', [
    to(constraint('email', 'STR_CONTAINS', { values: ['AMPLE'], caseInsensitive: true, inverted: true })),
  ])
  await feature('begins', [to(constraint('email', 'STR_STARTS_WITH', { values: ['@'], inverted: true }))])
  await feature('adult', [to(constraint('age', 'NUM_GTE', { value: '18' }))])
  await feature('exactly', [to(constraint('age', 'NUM_EQ', { value: '18' }))])
  await feature('newer', [to(constraint('version', 'SEMVER_GT', { value: '1.2.3' }))])
  await feature('staff', [rollout(100, { segments: [segment] })])
  await feature('either', [
    to(constraint('country', 'IN', { values: ['FR'] }), constraint('age', 'NUM_LT', { value: '18' })),
    to(constraint('userId', 'IN', { values: ['import-check-7'] })),
  ])
  await feature('off', [rollout(100)], { on: false })
  await feature('disabled-strategy', [
    rollout(100, { disabled: true }),
    to(constraint('country', 'IN', { values: ['DE'] })),
  ])
  await feature('none', [rollout(0)])
  await feature('child', [rollout(100)])
  await call('POST', 'projects/default/features/child/dependencies', { feature: 'in', enabled: true })
  await feature('parent-off', [rollout(100)], { on: false })
  await feature('orphan', [rollout(100)])
  await call('POST', 'projects/default/features/orphan/dependencies', {
    feature: 'parent-off',
    enabled: true,
  })
  await feature('half', [rollout(50)])
  await feature('colours', [
    rollout(100, {
      variants: [
        {
          name: 'red',
          weight: 250,
          weightType: 'fix',
          stickiness: 'default',
          payload: { type: 'string', value: '#f00' },
        },
        {
          name: 'blue',
          weight: 750,
          weightType: 'variable',
          stickiness: 'default',
          payload: { type: 'json', value: '{"a":1}' },
        },
      ],
    }),
  ])
  await feature('by-session', [
    rollout(50, { parameters: { rollout: '50', stickiness: 'sessionId', groupId: 'x' } }),
  ])
  await feature('moon', [{ name: 'by-moon', parameters: {} }])
  await feature('timed', [to(constraint('currentTime', 'DATE_AFTER', { value: '2026-01-01T00:00:00Z' }))])
  await feature('dotted.name', [rollout(100)])
  await call('POST', 'features/half/tags', { type: 'simple', value: 'Growth' })
  await call('POST', 'projects/default/features', { name: 'gone', type: 'release' })
  await call('DELETE', 'projects/default/features/gone')
}
