// Which database a deployment goes on with: no change of it is silent.
import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/cli/deploy/plan'
import { COMPLETE, EMPTY, keep, plan, WANTED, withSteps } from './plan-cases'

describe('a database', () => {
  const LOST = { databases: [], applied: [], hasUsers: false }

  it('that is gone is not silently replaced by an empty one', () => {
    expect(plan({ present: LOST })).toEqual({
      refusals: [
        'The Worker halyard has the database d1, which is gone. Deploy with --new-database to go on with an empty one.',
      ],
    })
  })

  it('that is gone is replaced when that is asked for, and nothing of the old one is read any more', () => {
    expect(plan({ present: LOST, options: { newDatabase: true } })).toEqual(
      withSteps({
        1: [{ do: 'createDatabase', name: 'halyard' }],
        6: [],
        7: [{ do: 'migrate', files: WANTED.migrations }],
        9: [{ do: 'setUp', email: 'ada@example.com' }, { do: 'afterRestore' }],
      }),
    )
  })

  it('that was made anew under the same name is not taken for the one that is gone', () => {
    const present = { ...LOST, databases: [{ id: 'd2', name: 'halyard' }] }
    expect(plan({ present })).toEqual({
      refusals: [
        'The Worker halyard has the database d1, which is gone. Deploy with --new-database to go on with the database halyard (d2), ' +
          'which it did not have before.',
      ],
    })
    expect(plan({ present, options: { newDatabase: true } })).toEqual(
      withSteps({
        7: [{ do: 'migrate', files: WANTED.migrations }],
        9: [{ do: 'setUp', email: 'ada@example.com' }, { do: 'afterRestore' }],
      }),
    )
  })

  it('that the Worker has is not left because wrangler.toml has another name for it', () => {
    expect(plan({ wanted: { database: { name: 'renamed', id: null } } })).toEqual({
      refusals: [
        'The Worker halyard has the database halyard (d1), and wrangler.toml says renamed. Put `database_id = "d1"` there to keep it, or ' +
          'deploy with --new-database to go on with an empty one.',
      ],
    })
  })

  it('is the one that wrangler.toml names by id, also when the Worker has another', () => {
    const databases = [...COMPLETE.databases, { id: 'd9', name: 'restored' }]
    expect(plan({ wanted: { database: { name: 'halyard', id: 'd9' } }, present: { databases } })).toEqual(
      withSteps({
        1: [keep('the D1 database restored')],
        9: [keep('the accounts, projects and keys in the database'), { do: 'afterRestore' }],
      }),
    )
  })

  it('whose id leads nowhere is a mistake, whatever else is asked for', () => {
    const refusals = [
      'wrangler.toml names the database d9, which this account does not have. Correct its `database_id`, or take the line out: then the ' +
        'one of the right name is used, or made.',
      'wrangler.toml names the KV namespace kv9, which this account does not have. Correct its `id`, or take the line out: then one is ' +
        'found, or made.',
    ]
    const wanted = { database: { name: 'halyard', id: 'd9' }, namespace: { title: 'any', id: 'kv9' } }
    expect(plan({ wanted })).toEqual({ refusals })
    expect(plan({ wanted, options: { newDatabase: true } })).toEqual({ refusals })
  })

  it('that is new does not read what an earlier one published in the same namespace', () => {
    const { steps } = plan({ present: { namespaces: COMPLETE.namespaces } }, EMPTY) as { steps: Step[] }
    expect(steps.slice(-3)).toEqual([
      { do: 'setUp', email: 'ada@example.com' },
      { do: 'afterRestore' },
      { do: 'awaitReady' },
    ])
  })
})
