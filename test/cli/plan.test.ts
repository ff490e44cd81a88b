// What a deployment would do, for every state that an account can be in, and what it refuses to begin with.
import { describe, expect, it } from 'vitest'
import { COMPLETE, EMPTY, keep, NOTHING_TO_MAKE, plan, WANTED, withSteps } from './plan-cases'

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
