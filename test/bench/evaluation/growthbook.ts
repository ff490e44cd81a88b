// Wraps GrowthBook's client for servers.

import { GrowthBookClient } from '@growthbook/growthbook'
import type { Engine } from './engine'
import { contexts } from './subjects'

export function growthbook(): Engine {
  const client = new GrowthBookClient().initSync({
    payload: {
      features: {
        rollout: {
          defaultValue: false,
          rules: [{ force: true, coverage: 0.3, hashAttribute: 'id', seed: 'rollout', hashVersion: 2 }],
        },
        targeting: {
          defaultValue: false,
          rules: [
            {
              condition: {
                plan: 'pro',
                country: { $in: ['de', 'at', 'ch'] },
                email: { $regex: '@example\\.com$' },
                age: { $gte: 18 },
                status: { $ne: 'blocked' },
              },
              force: true,
            },
          ],
        },
        variants: {
          defaultValue: 'none',
          rules: [
            {
              variations: ['control', 'first', 'second'],
              weights: [0.5, 0.3, 0.2],
              hashAttribute: 'id',
              seed: 'variants',
              hashVersion: 2,
            },
          ],
        },
      },
    },
  })
  const user = contexts((person) => ({ attributes: { ...person } }))
  return {
    name: 'growthbook',
    rollout: (index) => client.isOn('rollout', user(index)),
    targeting: (index) => client.isOn('targeting', user(index)),
    variants: (index) => client.getFeatureValue('variants', 'none', user(index)),
  }
}
