// Wraps this project's evaluator. The context of each evaluation is built inside the measurement.

import { compile } from '../../../src/evaluation/compile/compile'
import type { CompiledFlag } from '../../../src/evaluation/compile/compiled'
import { EvaluationContext } from '../../../src/evaluation/context'
import type { FlagDefinition } from '../../../src/evaluation/compile/definitions'
import { evaluateFlag } from '../../../src/evaluation/evaluate-flag'
import type { Engine } from './engine'
import { contexts } from './subjects'

const person = (key: string, operator: string, value: unknown) => ({ key, type: 'person', operator, value })

const filters = {
  rollout: { groups: [{ properties: [], rollout_percentage: 30 }] },
  targeting: {
    groups: [
      {
        properties: [
          person('plan', 'exact', 'pro'),
          person('country', 'exact', ['de', 'at', 'ch']),
          person('email', 'ends_with', '@example.com'),
          person('age', 'gte', 18),
          person('status', 'is_not', 'blocked'),
        ],
        rollout_percentage: 100,
      },
    ],
  },
  variants: {
    groups: [{ properties: [], rollout_percentage: 100 }],
    multivariate: {
      variants: [
        { key: 'control', rollout_percentage: 50 },
        { key: 'first', rollout_percentage: 30 },
        { key: 'second', rollout_percentage: 20 },
      ],
    },
  },
}

/** The definitions in the wire shape, which the other client of this protocol reads as well. */
export const definitions: readonly FlagDefinition[] = Object.entries(filters).map(([key, each], index) => ({
  id: index + 1,
  key,
  active: true,
  version: 1,
  filters: each,
}))

export function halyard(): Engine {
  const set = compile({
    flags: definitions,
    cohorts: [],
    group_type_mapping: {},
    property_matching_version: 1,
  })
  const clock = { now: Date.UTC(2026, 0, 1), timezone: 'UTC' }
  const subject = contexts(({ id, ...personProperties }) => ({ distinctId: id, personProperties }))
  const ask = (key: string) => {
    const flag: CompiledFlag = set.byKey.get(key)!
    return (index: number) => evaluateFlag(flag, new EvaluationContext(set, subject(index), clock)).value
  }
  return { name: 'halyard', rollout: ask('rollout'), targeting: ask('targeting'), variants: ask('variants') }
}
