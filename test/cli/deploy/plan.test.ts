// What a deployment would do, for every state of an account, and what keeps it from starting.
import { describe, expect, it } from 'vitest'
import {
  COMPLETE,
  create,
  EMPTY,
  keep,
  MAIN,
  MAIN_SCHEMA,
  migrate,
  plan,
  SHARD,
  UNUSED,
  withSteps,
} from './plan-cases'

describe('a deployment', () => {
  it('creates everything on an empty account, and migrates before the code that needs it is deployed', () => {
    expect(plan({}, EMPTY)).toEqual({
      steps: [
        { do: 'build' },
        create(MAIN),
        create(SHARD),
        { do: 'createNamespace', title: 'halyard-snapshots' },
        { do: 'createQueue', name: 'halyard-builds' },
        { do: 'createQueue', name: 'halyard-dead' },
        migrate(MAIN, '0000_initial.sql', '0001_more.sql'),
        migrate(SHARD, '0000_events.sql'),
        { do: 'upload', worker: 'halyard', made: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'], given: [] },
        { do: 'seed', email: 'ada@example.com' },
        { do: 'awaitReady' },
      ],
    })
  })

  it('creates nothing where everything exists, and needs no e-mail address for that', () => {
    expect(plan({ options: { email: null } })).toEqual(withSteps({}))
  })

  it('creates missing resources beside existing ones', () => {
    const actual = {
      queues: ['halyard-builds'],
      schemas: {
        ...UNUSED,
        DB: { applied: ['0000_initial.sql'], missingTables: [], isRestoring: false, isInUse: false },
      },
      worker: { ...COMPLETE.worker!, secrets: ['PAYLOAD_KEYS'] },
    }
    expect(plan({ actual })).toEqual(
      withSteps({
        dead: [{ do: 'createQueue', name: 'halyard-dead' }],
        secrets: [keep('the secrets PAYLOAD_KEYS')],
        mainSchema: [migrate(MAIN, '0001_more.sql')],
        upload: [{ do: 'upload', worker: 'halyard', made: ['ACCOUNT_KEYS'], given: [] }],
        seed: [{ do: 'seed', email: 'ada@example.com', replacesLost: true }],
      }),
    )
  })

  it('continues a first deployment that was interrupted', () => {
    const actual = {
      worker: null,
      schemas: {
        DB: { applied: ['0000_initial.sql'], missingTables: [], isRestoring: false, isInUse: false },
        EVENTS: { applied: [], missingTables: [], isRestoring: false, isInUse: false },
      },
      queues: [],
      usedShards: [],
    }
    expect(plan({ actual })).toEqual(
      withSteps({
        builds: [{ do: 'createQueue', name: 'halyard-builds' }],
        dead: [{ do: 'createQueue', name: 'halyard-dead' }],
        secrets: [],
        mainSchema: [migrate(MAIN, '0001_more.sql')],
        shardSchema: [migrate(SHARD, '0000_events.sql')],
        upload: [{ do: 'upload', worker: 'halyard', made: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'], given: [] }],
        seed: [{ do: 'seed', email: 'ada@example.com', replacesLost: true }],
      }),
    )
  })

  it('keeps a database that is newer than the code', () => {
    const DB = { ...MAIN_SCHEMA, applied: [...MAIN_SCHEMA.applied, '0002_later.sql'] }
    expect(plan({ actual: { schemas: { ...COMPLETE.schemas, DB } } })).toEqual(
      withSteps({
        mainSchema: [
          keep('the schema of halyard: every migration is applied'),
          keep('migrations of halyard that are newer than this code: 0002_later.sql'),
        ],
      }),
    )
  })

  it('uses the namespace that the Worker is bound to, with any title', () => {
    const namespaces = [
      { id: 'kv1', title: 'of the first deployment' },
      { id: 'kv2', title: 'halyard-snapshots' },
    ]
    expect(plan({ actual: { namespaces } })).toEqual(
      withSteps({ namespace: [keep('the KV namespace of the first deployment')] }),
    )
  })

  it('replaces a namespace that no longer exists', () => {
    expect(plan({ actual: { namespaces: [] } })).toEqual(
      withSteps({ namespace: [{ do: 'createNamespace', title: 'halyard-snapshots' }] }),
    )
  })
})

describe('a plan with problems has no steps', () => {
  it.each([
    [null, 'The first user needs an e-mail address: add --email you@example.com after the `--` of npm run.'],
    ['ada', '"ada" is not an e-mail address.'],
  ])('with %j as the e-mail address of the first user', (email, problem) => {
    expect(plan({ options: { email } }, EMPTY)).toEqual({ problems: [problem] })
  })

  it('on an account without a name under workers.dev, unless there is a route', () => {
    expect(plan({ actual: { subdomain: null } }, EMPTY)).toEqual({
      problems: [
        'This account has no name under workers.dev yet, where the service would be reached. Choose one at ' +
          'https://dash.cloudflare.com/?to=/:account/workers/onboarding, or put a route of your own domain in wrangler.toml.',
      ],
    })
    const desired = { onWorkersDev: false, urls: ['https://flags.example.com'] }
    expect(plan({ desired, actual: { subdomain: null } })).toEqual(withSteps({}))
  })
})
