// Wraps Unleash's client for servers, with local definitions and without metrics.

import { EventEmitter } from 'node:events'
import { Unleash } from 'unleash-client'
import type { FeatureInterface } from 'unleash-client/lib/feature'
import type { RepositoryInterface } from 'unleash-client/lib/repository'
import type { Operator } from 'unleash-client/lib/strategy/strategy'
import type { Engine } from './engine'
import { contexts } from './subjects'

class Definitions extends EventEmitter implements RepositoryInterface {
  readonly #features: ReadonlyMap<string, FeatureInterface>

  constructor(features: readonly FeatureInterface[]) {
    super()
    this.#features = new Map(features.map((feature) => [feature.name, feature]))
  }

  getToggle(name: string): FeatureInterface | undefined {
    return this.#features.get(name)
  }

  getToggles(): FeatureInterface[] {
    return [...this.#features.values()]
  }

  getTogglesWithSegmentData(): [] {
    return []
  }

  getSegment(): undefined {
    return undefined
  }

  stop(): void {}

  /** Without this, the client returns only fallbacks. */
  async start(): Promise<void> {
    this.emit('ready')
    this.emit('changed')
  }
}

const constraint = (contextName: string, operator: `${Operator}`, values: string[], value?: string) => ({
  contextName,
  operator: operator as Operator,
  values,
  value,
  inverted: false,
  caseInsensitive: true,
})

const feature = (name: string, rest: Partial<FeatureInterface>): FeatureInterface =>
  ({
    name,
    type: 'release',
    enabled: true,
    stale: false,
    impressionData: false,
    variants: [],
    ...rest,
  }) as FeatureInterface

export function unleash(): Engine {
  const everybody = { name: 'default', parameters: {}, constraints: [] }
  const client = new Unleash({
    appName: 'bench',
    url: 'http://localhost',
    disableMetrics: true,
    repository: new Definitions([
      feature('rollout', {
        strategies: [
          {
            name: 'flexibleRollout',
            parameters: { rollout: '30', stickiness: 'userId', groupId: 'rollout' },
            constraints: [],
          },
        ],
      }),
      feature('targeting', {
        strategies: [
          {
            name: 'default',
            parameters: {},
            constraints: [
              constraint('plan', 'IN', ['pro']),
              constraint('country', 'IN', ['de', 'at', 'ch']),
              constraint('email', 'STR_ENDS_WITH', ['@example.com']),
              constraint('age', 'NUM_GTE', [], '18'),
              constraint('status', 'NOT_IN', ['blocked']),
            ],
          },
        ],
      }),
      feature('variants', {
        strategies: [everybody],
        variants: [
          { name: 'control', weight: 500, weightType: 'fix', stickiness: 'userId' },
          { name: 'first', weight: 300, weightType: 'fix', stickiness: 'userId' },
          { name: 'second', weight: 200, weightType: 'fix', stickiness: 'userId' },
        ] as unknown as FeatureInterface['variants'],
      }),
    ]),
  })
  const context = contexts(({ id, age, ...rest }) => ({
    userId: id,
    properties: { ...rest, age: String(age) },
  }))
  return {
    name: 'unleash-client',
    rollout: (index) => client.isEnabled('rollout', context(index)),
    targeting: (index) => client.isEnabled('targeting', context(index)),
    variants: (index) => client.getVariant('variants', context(index)).name,
  }
}
