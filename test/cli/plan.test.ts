// What a deployment would do, for every state that an account can be in.
import { describe, expect, it } from 'vitest'
import { planDeployment, type PlanOptions, planSetUp, type Step } from '../../src/cli/deploy/plan'
import type { Present } from '../../src/cli/deploy/account-state'
import type { Wanted } from '../../src/cli/deploy/wanted'

const WANTED: Wanted = {
  worker: 'halyard',
  environment: null,
  accountId: null,
  database: { name: 'halyard', id: null },
  namespace: { title: 'halyard-snapshots', id: null },
  queues: ['halyard-builds', 'halyard-dead'],
  secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'],
  vars: { MAX_FLAGS_PER_PROJECT: '2000', THROTTLES: 'on' },
  urls: [],
  onWorkersDev: true,
  migrations: ['0000_initial.sql', '0001_more.sql'],
}

const EMPTY: Present = {
  subdomain: 'example',
  databases: [],
  namespaces: [],
  queues: [],
  worker: null,
  applied: [],
  hasUsers: false,
}

const COMPLETE: Present = {
  subdomain: 'example',
  databases: [{ id: 'd1', name: 'halyard' }],
  namespaces: [{ id: 'kv1', title: 'halyard-snapshots' }],
  queues: ['halyard-builds', 'halyard-dead', 'of-others'],
  worker: { databaseId: 'd1', namespaceId: 'kv1', secrets: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS', 'OF_OTHERS'] },
  applied: WANTED.migrations,
  hasUsers: true,
}

const OPTIONS: PlanOptions = { email: 'ada@example.com', newDatabase: false, newSecrets: false, env: {} }

interface Case {
  wanted?: Partial<Wanted>
  present?: Partial<Present>
  options?: Partial<PlanOptions>
}

const plan = ({ wanted, present, options }: Case, base = COMPLETE) =>
  planDeployment({ ...WANTED, ...wanted }, { ...base, ...present }, { ...OPTIONS, ...options })

const keep = (what: string): Step => ({ do: 'keep', what })

const NOTHING_TO_MAKE: Step[] = [
  { do: 'build' },
  keep('the D1 database halyard'),
  keep('the KV namespace halyard-snapshots'),
  keep('the queue halyard-builds'),
  keep('the queue halyard-dead'),
  keep('the secrets PAYLOAD_KEYS, ACCOUNT_KEYS'),
  { do: 'bookmark' },
  keep('the schema, which has all 2 migrations'),
  { do: 'upload', worker: 'halyard', made: [], given: [] },
  keep('the accounts, projects and keys in the database'),
  { do: 'awaitReady' },
]

/** The steps of a plan that is like another but for some of its steps. */
const withSteps = (changed: Record<number, Step[]>) => ({
  steps: NOTHING_TO_MAKE.flatMap((step, index) => changed[index] ?? [step]),
})

describe('a deployment', () => {
  it('makes everything on an empty account, and migrates before the code is there that needs it', () => {
    expect(plan({}, EMPTY)).toEqual({
      steps: [
        { do: 'build' },
        { do: 'createDatabase', name: 'halyard' },
        { do: 'createNamespace', title: 'halyard-snapshots' },
        { do: 'createQueue', name: 'halyard-builds' },
        { do: 'createQueue', name: 'halyard-dead' },
        { do: 'migrate', files: ['0000_initial.sql', '0001_more.sql'] },
        { do: 'upload', worker: 'halyard', made: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'], given: [] },
        { do: 'setUp', email: 'ada@example.com' },
        { do: 'awaitReady' },
      ],
    })
  })

  it('makes nothing where everything is there, and needs no address for that', () => {
    expect(plan({ options: { email: null } })).toEqual({ steps: NOTHING_TO_MAKE })
  })

  it('makes what is missing where some is there', () => {
    const present = {
      queues: ['halyard-builds'],
      applied: ['0000_initial.sql'],
      worker: { ...COMPLETE.worker!, secrets: ['PAYLOAD_KEYS'] },
      hasUsers: false,
    }
    expect(plan({ present })).toEqual(
      withSteps({
        4: [{ do: 'createQueue', name: 'halyard-dead' }],
        5: [keep('the secrets PAYLOAD_KEYS')],
        7: [{ do: 'migrate', files: ['0001_more.sql'] }],
        8: [{ do: 'upload', worker: 'halyard', made: ['ACCOUNT_KEYS'], given: [] }],
        9: [{ do: 'setUp', email: 'ada@example.com' }],
      }),
    )
  })

  it('goes on with what a first deployment that broke off has made', () => {
    const present = { worker: null, applied: ['0000_initial.sql'], hasUsers: false, queues: [] }
    expect(plan({ present })).toEqual(
      withSteps({
        3: [{ do: 'createQueue', name: 'halyard-builds' }],
        4: [{ do: 'createQueue', name: 'halyard-dead' }],
        5: [],
        7: [{ do: 'migrate', files: ['0001_more.sql'] }],
        8: [{ do: 'upload', worker: 'halyard', made: ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'], given: [] }],
        9: [{ do: 'setUp', email: 'ada@example.com' }],
      }),
    )
  })

  it('keeps a database that is newer than the code', () => {
    expect(plan({ present: { applied: [...WANTED.migrations, '0002_later.sql'] } })).toEqual(
      withSteps({
        7: [
          keep('the schema, which has all 2 migrations'),
          keep('migrations that are newer than this code: 0002_later.sql'),
        ],
      }),
    )
  })

  it('takes the namespace that the Worker has, whatever it is called', () => {
    const namespaces = [
      { id: 'kv1', title: 'of the first deployment' },
      { id: 'kv2', title: 'halyard-snapshots' },
    ]
    expect(plan({ present: { namespaces } })).toEqual(
      withSteps({ 2: [keep('the KV namespace of the first deployment')] }),
    )
  })

  it('makes a namespace for one that is gone: it holds nothing that is not made again', () => {
    expect(plan({ present: { namespaces: [] } })).toEqual(
      withSteps({ 2: [{ do: 'createNamespace', title: 'halyard-snapshots' }] }),
    )
  })
})

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

describe('secrets', () => {
  const LOST = { worker: { ...COMPLETE.worker!, secrets: ['PAYLOAD_KEYS'] } }
  const KEYS = `2026:${Buffer.alloc(32, 1).toString('base64')}`

  it('that were lost are not made anew while data is encrypted with them', () => {
    expect(plan({ present: LOST })).toEqual({
      refusals: [
        'The database is in use, and the Worker has no ACCOUNT_KEYS: what was encrypted with lost keys cannot be read with new ones. ' +
          'Deploy with the old ones in the environment (ACCOUNT_KEYS=… npm run deploy), or with --new-secrets to go on without: encrypted ' +
          'payloads and second factors then have to be entered again.',
      ],
    })
  })

  it('that were lost come from the environment, or are made when that is asked for', () => {
    const kept = { 5: [keep('the secrets PAYLOAD_KEYS')] }
    expect(plan({ present: LOST, options: { env: { ACCOUNT_KEYS: KEYS, HOME: '/' } } })).toEqual(
      withSteps({ ...kept, 8: [{ do: 'upload', worker: 'halyard', made: [], given: ['ACCOUNT_KEYS'] }] }),
    )
    expect(plan({ present: LOST, options: { newSecrets: true } })).toEqual(
      withSteps({ ...kept, 8: [{ do: 'upload', worker: 'halyard', made: ['ACCOUNT_KEYS'], given: [] }] }),
    )
  })

  it('that are brought along have to be keys', () => {
    const two = `${KEYS},2025:${Buffer.alloc(32, 2).toString('base64')}`
    expect(plan({ present: LOST, options: { env: { ACCOUNT_KEYS: two } } })).toHaveProperty('steps')
    for (const value of ['', 'secret', '2026:dG9vIHNob3J0', `${KEYS},`, KEYS.replace('2026:', '')]) {
      expect(plan({ present: LOST, options: { env: { ACCOUNT_KEYS: value } } })).toEqual({
        refusals: [
          'ACCOUNT_KEYS in the environment has to be `id:base64` with 32 bytes, or several of these with commas between them.',
        ],
      })
    }
  })

  it('that the Worker has are not replaced by those of the environment', () => {
    expect(
      plan({ options: { env: { PAYLOAD_KEYS: 'other', ACCOUNT_KEYS: 'other' }, newSecrets: true } }),
    ).toEqual({
      steps: NOTHING_TO_MAKE,
    })
  })

  it('that a setting needs have to be given once', () => {
    const vars = {
      ...WANTED.vars,
      CHAT_CLIENT_ID: 'client',
      CLICKHOUSE_URL: 'https://clickhouse.example.com:8443',
      AI_BASE_URL: 'https://ai.example.com/v1',
      AI_MODEL: 'small',
    }
    const wanted = { vars, secrets: [...WANTED.secrets, 'OUR_OWN'] }
    expect(plan({ wanted })).toEqual({
      refusals: [
        'The Worker has no secret OUR_OWN, and wrangler.toml requires it. Give it once: OUR_OWN=… npm run deploy',
        'The Worker has no secret CHAT_CLIENT_SECRET, and CHAT_CLIENT_ID is set in wrangler.toml. Give it once: ' +
          'CHAT_CLIENT_SECRET=… npm run deploy',
        'The Worker has no secret CLICKHOUSE_PASSWORD, and CLICKHOUSE_URL is set in wrangler.toml. Give it once: ' +
          'CLICKHOUSE_PASSWORD=… npm run deploy',
      ],
    })
    const given = ['OUR_OWN', 'CHAT_CLIENT_SECRET', 'CLICKHOUSE_PASSWORD', 'AI_API_KEY']
    const env = { OUR_OWN: '1', CHAT_CLIENT_SECRET: '2', CLICKHOUSE_PASSWORD: '', AI_API_KEY: '4' }
    expect(plan({ wanted, options: { env } })).toEqual(
      withSteps({ 8: [{ do: 'upload', worker: 'halyard', made: [], given }] }),
    )
  })
})

describe('what is wrong is told before anything is done', () => {
  it.each([
    [null, 'The first user needs an e-mail address: add --email you@example.com behind the `--` of npm run.'],
    ['ada', '"ada" is no e-mail address.'],
  ])('for the first user %j', (email, refusal) => {
    expect(plan({ options: { email } }, EMPTY)).toEqual({ refusals: [refusal] })
  })

  it('for an account without a name under workers.dev, unless there is a route', () => {
    expect(plan({ present: { subdomain: null } }, EMPTY)).toEqual({
      refusals: [
        'This account has no name under workers.dev yet, where the service would be reached. Choose one at ' +
          'https://dash.cloudflare.com/?to=/:account/workers/onboarding, or put a route of your own domain in wrangler.toml.',
      ],
    })
    const wanted = { onWorkersDev: false, urls: ['https://flags.example.com'] }
    expect(plan({ wanted, present: { subdomain: null } })).toEqual({ steps: NOTHING_TO_MAKE })
  })

  it('for settings, all at once', () => {
    const vars = {
      MAX_FLAGS_PER_PROJECT: 'many',
      THROTTLES: 'yes',
      CHAT_ISSUER: 'slack.com',
      CLICKHOUSE_URL: 'clickhouse.example.com:8443',
      AI_BASE_URL: 'https://ai.example.com/v1',
    }
    expect(plan({ wanted: { vars }, options: { env: { CLICKHOUSE_PASSWORD: 'secret' } } })).toEqual({
      refusals: [
        'MAX_FLAGS_PER_PROJECT in wrangler.toml has to be a whole number, 1 or more; it is "many".',
        'THROTTLES in wrangler.toml has to be "on" or "off"; it is "yes".',
        'CHAT_ISSUER in wrangler.toml has to be an address that begins with https://, or be empty; it is "slack.com".',
        'CLICKHOUSE_URL in wrangler.toml has to be an address that begins with https://, or be empty; it is "clickhouse.example.com:8443".',
        'AI_BASE_URL is set in wrangler.toml, and AI_MODEL is not: name the model that is to be asked there.',
      ],
    })
  })
})

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
