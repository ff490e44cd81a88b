// Which secrets a deployment makes, takes from the environment, asks for, and keeps.
import { describe, expect, it } from 'vitest'
import { COMPLETE, DESIRED, keep, plan, withSteps } from './plan-cases'

describe('secrets', () => {
  const LOST = { worker: { ...COMPLETE.worker!, secrets: ['PAYLOAD_KEYS'] } }
  const KEYS = `2026:${Buffer.alloc(32, 1).toString('base64')}`

  it('that were lost are not made again while data is encrypted with them', () => {
    expect(plan({ actual: LOST })).toEqual({
      problems: [
        'The database is in use, and the Worker has no ACCOUNT_KEYS: what was encrypted with lost keys cannot be read with new ones. ' +
          'Deploy with the old ones in the environment (ACCOUNT_KEYS=… npm run deploy), or with --new-secrets to go on without: encrypted ' +
          'payloads and second factors then have to be entered again.',
      ],
    })
  })

  it('that were lost come from the environment, or are made with --new-secrets', () => {
    const secrets = [keep('the secrets PAYLOAD_KEYS')]
    expect(plan({ actual: LOST, options: { env: { ACCOUNT_KEYS: KEYS, HOME: '/' } } })).toEqual(
      withSteps({
        secrets,
        upload: [{ do: 'upload', worker: 'halyard', made: [], given: ['ACCOUNT_KEYS'] }],
      }),
    )
    expect(plan({ actual: LOST, options: { newSecrets: true } })).toEqual(
      withSteps({
        secrets,
        upload: [{ do: 'upload', worker: 'halyard', made: ['ACCOUNT_KEYS'], given: [] }],
      }),
    )
  })

  it('from the environment have to be keys', () => {
    const two = `${KEYS},2025:${Buffer.alloc(32, 2).toString('base64')}`
    expect(plan({ actual: LOST, options: { env: { ACCOUNT_KEYS: two } } })).toHaveProperty('steps')
    for (const value of ['', 'secret', '2026:dG9vIHNob3J0', `${KEYS},`, KEYS.replace('2026:', '')]) {
      expect(plan({ actual: LOST, options: { env: { ACCOUNT_KEYS: value } } })).toEqual({
        problems: [
          'ACCOUNT_KEYS in the environment has to be `id:base64` with 32 bytes, or several of these with commas between them.',
        ],
      })
    }
  })

  it('that the Worker has are not replaced by those of the environment', () => {
    expect(
      plan({ options: { env: { PAYLOAD_KEYS: 'other', ACCOUNT_KEYS: 'other' }, newSecrets: true } }),
    ).toEqual(withSteps({}))
  })

  it('that a setting needs have to be set once', () => {
    const vars = {
      ...DESIRED.vars,
      CHAT_CLIENT_ID: 'client',
      CLICKHOUSE_URL: 'https://clickhouse.example.com:8443',
      AI_BASE_URL: 'https://ai.example.com/v1',
      AI_MODEL: 'small',
    }
    const desired = { vars, secrets: [...DESIRED.secrets, 'OUR_OWN'] }
    expect(plan({ desired })).toEqual({
      problems: [
        'The Worker has no secret OUR_OWN, and wrangler.toml requires it. Set it once: OUR_OWN=… npm run deploy',
        'The Worker has no secret CHAT_CLIENT_SECRET, and CHAT_CLIENT_ID is set in wrangler.toml. Set it once: ' +
          'CHAT_CLIENT_SECRET=… npm run deploy',
        'The Worker has no secret CLICKHOUSE_PASSWORD, and CLICKHOUSE_URL is set in wrangler.toml. Set it once: ' +
          'CLICKHOUSE_PASSWORD=… npm run deploy',
      ],
    })
    const given = ['OUR_OWN', 'CHAT_CLIENT_SECRET', 'CLICKHOUSE_PASSWORD', 'AI_API_KEY']
    const env = { OUR_OWN: '1', CHAT_CLIENT_SECRET: '2', CLICKHOUSE_PASSWORD: '', AI_API_KEY: '4' }
    expect(plan({ desired, options: { env } })).toEqual(
      withSteps({ upload: [{ do: 'upload', worker: 'halyard', made: [], given }] }),
    )
  })
})
