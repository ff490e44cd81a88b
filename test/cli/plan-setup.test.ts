// What setting up a deployed service would do.
import { describe, expect, it } from 'vitest'
import type { ActualState } from '../../src/cli/deploy/account-state'
import { planSetup } from '../../src/cli/deploy/plan'
import { bookmark, COMPLETE, DESIRED, EMPTY, keep, MAIN, migrate, SHARD, UNUSED } from './deploy/plan-cases'

describe('setting up a deployed service', () => {
  const plan = (actual: ActualState, options: Partial<Parameters<typeof planSetup>[2]> = {}) =>
    planSetup(DESIRED, actual, { email: null, afterRestore: false, renew: false, ...options })

  /** A migration of the main database and all of the shard's are pending. */
  const behind = (isInUse: boolean): ActualState => ({
    ...COMPLETE,
    schemas: {
      DB: { applied: ['0000_initial.sql'], missingTables: [], isRestoring: false, isInUse },
      EVENTS: { ...UNUSED.EVENTS, applied: [] },
    },
  })
  const MIGRATED = [
    bookmark(MAIN),
    bookmark(SHARD),
    migrate(MAIN, '0001_more.sql'),
    migrate(SHARD, '0000_events.sql'),
  ]

  it('migrates, and creates the first user if none exists', () => {
    expect(plan(behind(false), { email: 'ada@example.com', renew: true })).toEqual({
      steps: [...MIGRATED, { do: 'seed', email: 'ada@example.com' }],
    })
  })

  it('invalidates after a restore once the schema is current, and renews lost credentials', () => {
    expect(plan(behind(true), { afterRestore: true, renew: true })).toEqual({
      steps: [...MIGRATED, keep('the accounts, projects and keys'), { do: 'afterRestore' }, { do: 'renew' }],
    })
  })

  it('needs a deployment first', () => {
    expect(plan(EMPTY)).toEqual({
      problems: [
        'There is no D1 database halyard yet. `npm run deploy` creates it.',
        'There is no D1 database halyard-events yet. `npm run deploy` creates it.',
      ],
    })
    expect(plan({ ...COMPLETE, databases: COMPLETE.databases.slice(1) })).toEqual({
      problems: [
        'The Worker halyard is bound to DB = d1, which no longer exists. Deploy with --new-database to use a new, empty one.',
      ],
    })
  })
})
