// Wraps flagd's in-process evaluator, whose rules are JsonLogic.

import { FlagdCore } from '@openfeature/flagd-core'
import type { Engine } from './engine'
import { contexts } from './subjects'

const property = (name: string) => ({ var: name })

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' }

export function flagd(): Engine {
  const core = new FlagdCore()
  core.setConfigurations(
    JSON.stringify({
      flags: {
        rollout: {
          ...onOff,
          targeting: {
            fractional: [
              ['on', 30],
              ['off', 70],
            ],
          },
        },
        targeting: {
          ...onOff,
          targeting: {
            if: [
              {
                and: [
                  { '==': [property('plan'), 'pro'] },
                  { in: [property('country'), ['de', 'at', 'ch']] },
                  { ends_with: [property('email'), '@example.com'] },
                  { '>=': [property('age'), 18] },
                  { '!=': [property('status'), 'blocked'] },
                ],
              },
              'on',
              'off',
            ],
          },
        },
        variants: {
          state: 'ENABLED',
          variants: { control: 'control', first: 'first', second: 'second' },
          defaultVariant: 'control',
          targeting: {
            fractional: [
              ['control', 50],
              ['first', 30],
              ['second', 20],
            ],
          },
        },
      },
    }),
  )
  const context = contexts(({ id, ...rest }) => ({ targetingKey: id, ...rest }))
  return {
    name: 'flagd-core',
    rollout: (index) => core.resolveBooleanEvaluation('rollout', false, context(index)).value,
    targeting: (index) => core.resolveBooleanEvaluation('targeting', false, context(index)).value,
    variants: (index) => core.resolveStringEvaluation('variants', 'none', context(index)).value,
  }
}
