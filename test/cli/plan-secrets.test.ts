// Which secrets a deployment makes, takes from the environment, asks for, and leaves alone.
import { describe, expect, it } from 'vitest'
import { COMPLETE, keep, NOTHING_TO_MAKE, plan, WANTED, withSteps } from './plan-cases'

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
