// Which databases a deployment uses: it never replaces one silently.
import { describe, expect, it } from 'vitest'
import type { ActualState } from '../../../src/cli/deploy/account-state'
import type { DeployStep } from '../../../src/cli/deploy/step'
import {
  bookmark,
  COMPLETE,
  create,
  EMPTY,
  keep,
  MAIN,
  MAIN_SCHEMA,
  migrate,
  plan,
  SECOND_SHARD,
  SHARD,
  SHARD_SCHEMA,
  UNUSED,
  withSteps,
} from './plan-cases'

const [MAIN_ON_ACCOUNT, SHARD_ON_ACCOUNT] = COMPLETE.databases

describe('the main database', () => {
  /** The main database is gone, and nobody uses the shard. */
  const LOST: Partial<ActualState> = {
    databases: [SHARD_ON_ACCOUNT!],
    schemas: { EVENTS: UNUSED.EVENTS },
    usedShards: [],
  }

  it('is not silently replaced by an empty one when it no longer exists', () => {
    expect(plan({ actual: LOST })).toEqual({
      problems: [
        'The Worker halyard is bound to DB = d1, which no longer exists. Deploy with --new-database to use a new, empty one.',
      ],
    })
  })

  it('is replaced with --new-database, and what the old one published is invalidated', () => {
    expect(plan({ actual: LOST, options: { newDatabase: true } })).toEqual(
      withSteps({
        main: [create(MAIN)],
        bookmarks: [bookmark(SHARD)],
        mainSchema: [migrate(MAIN, '0000_initial.sql', '0001_more.sql')],
        seed: [{ do: 'seed', email: 'ada@example.com', replacesLost: true }],
      }),
    )
  })

  it('is not replaced by one of the same name that was created since', () => {
    const actual = {
      ...LOST,
      databases: [{ id: 'd2', name: 'halyard' }, SHARD_ON_ACCOUNT!],
      schemas: {
        DB: { applied: [], missingTables: [], isRestoring: false, isInUse: false },
        EVENTS: UNUSED.EVENTS,
      },
    }
    expect(plan({ actual })).toEqual({
      problems: [
        'The Worker halyard is bound to DB = d1, which no longer exists. Deploy with --new-database to use the existing database ' +
          'halyard (d2).',
      ],
    })
    expect(plan({ actual, options: { newDatabase: true } })).toEqual(
      withSteps({
        mainSchema: [migrate(MAIN, '0000_initial.sql', '0001_more.sql')],
        seed: [{ do: 'seed', email: 'ada@example.com', replacesLost: true }],
      }),
    )
  })

  it('is not replaced because wrangler.toml has another name for it', () => {
    expect(plan({ desired: { databases: [{ ...MAIN, name: 'renamed' }, SHARD] } })).toEqual({
      problems: [
        'The Worker halyard is bound to DB = halyard (d1), and wrangler.toml names renamed. Add `database_id = "d1"` there to keep ' +
          'it, or deploy with --new-database to use a new, empty one.',
      ],
    })
  })

  it('is the one that wrangler.toml names by id, also when the Worker is bound to another', () => {
    const databases = [...COMPLETE.databases, { id: 'd9', name: 'restored' }]
    expect(plan({ desired: { databases: [{ ...MAIN, id: 'd9' }, SHARD] }, actual: { databases } })).toEqual(
      withSteps({
        main: [keep('the D1 database restored')],
        bookmarks: [bookmark({ ...MAIN, name: 'restored' }), bookmark(SHARD)],
        mainSchema: [keep('the schema of restored: every migration is applied')],
        afterRestore: [{ do: 'afterRestore' }],
      }),
    )
  })

  it('does not show what an earlier one published in the same namespace', () => {
    const { steps } = plan({ actual: { namespaces: COMPLETE.namespaces } }, EMPTY) as { steps: DeployStep[] }
    expect(steps.slice(-2)).toEqual([
      { do: 'seed', email: 'ada@example.com', replacesLost: true },
      { do: 'awaitReady' },
    ])
  })

  it('must not be empty where a shard holds events, which belong to the projects of another one', () => {
    const actual = { ...LOST, schemas: { EVENTS: SHARD_SCHEMA } }
    expect(plan({ actual, options: { newDatabase: true } })).toEqual({
      problems: [
        'The main database is empty, and EVENTS (halyard-events) holds events of another one, which new projects would show. Restore ' +
          'the main database, or give each of these shards another `database_name` in wrangler.toml, and deploy with --new-database.',
      ],
    })
  })
})

describe('an analytics shard', () => {
  it('is created and migrated where wrangler.toml binds another one', () => {
    expect(plan({ desired: { databases: [MAIN, SHARD, SECOND_SHARD] } })).toEqual(
      withSteps({
        shard: [keep('the D1 database halyard-events'), create(SECOND_SHARD)],
        shardSchema: [
          keep('the schema of halyard-events: every migration is applied'),
          migrate(SECOND_SHARD, '0000_events.sql'),
        ],
      }),
    )
  })

  it('may have any number', () => {
    const third = { ...SHARD, binding: 'EVENTS_3', name: 'halyard-events-3' }
    expect(plan({ desired: { databases: [MAIN, SHARD, third] } })).toHaveProperty('steps')
  })

  it('that projects use has to stay bound', () => {
    expect(plan({ actual: { usedShards: ['EVENTS', 'EVENTS_2'] } })).toEqual({
      problems: [
        'Projects have their events in EVENTS_2, which wrangler.toml does not bind. Add it to `d1_databases` again.',
      ],
    })
  })

  it('is not silently replaced by an empty one when it no longer exists', () => {
    const actual = { databases: [MAIN_ON_ACCOUNT!], schemas: { DB: MAIN_SCHEMA } }
    expect(plan({ actual })).toEqual({
      problems: [
        'The Worker halyard is bound to EVENTS = e1, which no longer exists. Deploy with --new-database to use a new, empty one.',
      ],
    })
    expect(plan({ actual, options: { newDatabase: true } })).toEqual(
      withSteps({
        shard: [create(SHARD)],
        bookmarks: [bookmark(MAIN)],
        shardSchema: [migrate(SHARD, '0000_events.sql')],
      }),
    )
  })
})

describe('every database', () => {
  it('whose id does not exist is a mistake, also with --new-database', () => {
    const problems = [
      'wrangler.toml names the database d9 for DB, which this account does not have. Correct its `database_id`, or remove the line: ' +
        'then the database of the right name is used, or created.',
      'wrangler.toml names the database e9 for EVENTS, which this account does not have. Correct its `database_id`, or remove the ' +
        'line: then the database of the right name is used, or created.',
      'wrangler.toml names the KV namespace kv9, which this account does not have. Correct its `id`, or remove the line: then one is ' +
        'found, or created.',
    ]
    const desired = {
      databases: [
        { ...MAIN, id: 'd9' },
        { ...SHARD, id: 'e9' },
      ],
      namespace: { title: 'any', id: 'kv9' },
    }
    expect(plan({ desired })).toEqual({ problems })
    expect(plan({ desired, options: { newDatabase: true } })).toEqual({ problems })
  })

  it('that an older layout made cannot be upgraded', () => {
    const DB = { ...MAIN_SCHEMA, missingTables: ['applied_events', 'outbox'] }
    expect(plan({ actual: { schemas: { ...COMPLETE.schemas, DB } } })).toEqual({
      problems: [
        'The database halyard was made by an earlier version with other migrations: it has no table applied_events, outbox. It cannot be ' +
          'upgraded. Give DB another `database_name` in wrangler.toml, and deploy with --new-database.',
      ],
    })
  })
})
