// What setting up a service that is deployed would do.
import { describe, expect, it } from 'vitest'
import type { Present } from '../../src/cli/deploy/account-state'
import { planSetUp } from '../../src/cli/deploy/plan'
import { COMPLETE, EMPTY, keep, WANTED } from './plan-cases'

describe('setting up a deployed service', () => {
  const setUp = (present: Present, options: Partial<Parameters<typeof planSetUp>[2]> = {}) =>
    planSetUp(WANTED, present, { email: null, afterRestore: false, renew: false, ...options })

  it('migrates, and makes the first user where there is none', () => {
    const present = { ...COMPLETE, applied: ['0000_initial.sql'], hasUsers: false }
    expect(setUp(present, { email: 'ada@example.com', renew: true })).toEqual({
      steps: [
        { do: 'bookmark' },
        { do: 'migrate', files: ['0001_more.sql'] },
        { do: 'setUp', email: 'ada@example.com' },
      ],
    })
  })

  it('makes up for a restore after the schema is the newest again, and renews what somebody lost', () => {
    expect(
      setUp({ ...COMPLETE, applied: ['0000_initial.sql'] }, { afterRestore: true, renew: true }),
    ).toEqual({
      steps: [
        { do: 'bookmark' },
        { do: 'migrate', files: ['0001_more.sql'] },
        keep('the accounts, projects and keys in the database'),
        { do: 'afterRestore' },
        { do: 'renew' },
      ],
    })
  })

  it('has nothing to do it on before the first deployment', () => {
    expect(setUp(EMPTY)).toEqual({
      refusals: ['There is no D1 database halyard yet. `npm run deploy` makes it.'],
    })
    expect(setUp({ ...COMPLETE, databases: [] })).toEqual({
      refusals: [
        'The Worker halyard has the database d1, which is gone. Deploy with --new-database to go on with an empty one.',
      ],
    })
  })
})
