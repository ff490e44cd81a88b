// Replacing keys: every column that the key rings write, in bounded runs, beside a service that continues writing.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { continueRotation, type Query, readRotation, reencrypt } from '../../src/storage/reencrypt'
import { keyringOf } from '../../src/storage/cipher'
import { ENCRYPTED_COLUMNS, encryptedValuesIn } from '../../src/storage/encrypted-columns'
import { open } from '../support/filters'
import { createHarness } from '../support/harness'
import { signIn } from '../support/session'
import { createTenant } from '../support/tenant'
import { giveSecondFactor } from '../support/two-factor'

const query: Query = async (sql, params) =>
  (
    await env.DB.prepare(sql)
      .bind(...params)
      .all()
  ).results

const NEW_KEY = `new:${btoa('n'.repeat(32))}`

/** Columns of a database with encrypted values, and the names of their keys. */
async function encryptedColumnsOf(database: D1Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const { results: columns } = await database
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t CROSS JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'sqlite_*'`,
    )
    .all<{ table: string; column: string }>()
  for (const { table, column } of columns) {
    const { results } = await database
      .prepare(
        `SELECT CAST("${column}" AS TEXT) AS text FROM "${table}" WHERE instr("${column}", 'enc:') > 0`,
      )
      .all<{ text: string }>()
    const keys = new Set(results.flatMap(({ text }) => encryptedValuesIn(text).map(({ keyId }) => keyId)))
    if (keys.size > 0) found[`${table}.${column}`] = [...keys].sort()
  }
  return found
}

const listed = (keys: string[]) =>
  Object.fromEntries(
    Object.values(ENCRYPTED_COLUMNS).map(({ table, column }) => [`${table}.${column}`, keys]),
  )

it('finds every value, also those written during the pass, and the service reads them with the new key alone', async () => {
  const tenant = await createTenant({ level: 8 })
  await giveSecondFactor(tenant)
  const browser = await signIn(tenant)
  expect((await browser.get('/api/users/@me/two_factor_start_setup/')).status).toBe(200)
  const webhooks = `/api/projects/${tenant.projectId}/webhooks/`
  const webhook = await tenant.post(webhooks, { url: 'https://hooks.example.com/', events: ['*'] })
  expect((await tenant.post(`${webhooks}${webhook.body.id}/rotate_secret/`)).status).toBe(200)
  const { id } = await tenant.flag({
    key: 'secret',
    is_remote_configuration: true,
    has_encrypted_payloads: true,
    filters: { groups: [], payloads: { true: '"hidden"' } },
  })
  const change = (payload: string) =>
    tenant.patch(tenant.flags(id), {
      filters: { groups: [], payloads: { true: payload } },
    })
  expect((await change('"changed"')).status).toBe(200)
  const policies = `/api/projects/${tenant.projectId}/approval_policies/`
  const policy = await tenant.post(policies, {
    action_key: 'feature_flag.update',
    approver_config: { quorum: 1, users: [tenant.user.id] },
  })
  expect((await change('"held"')).status).toBe(409)
  expect((await tenant.delete(`${policies}${policy.body.id}/`)).status).toBe(204)

  expect(
    await browser.send('PUT', `/api/organizations/${tenant.organizationId}/sso/`, {
      body: {
        issuer: 'https://accounts.example.com',
        client_id: 'client',
        client_secret: 'hidden',
        domains: ['example.com'],
      },
    }),
  ).toMatchObject({ status: 200 })

  expect(await encryptedColumnsOf(env.DB)).toEqual(listed(['test']))
  expect(await encryptedColumnsOf(env.EVENTS)).toEqual({})
  // A user may write anything that looks like a value.
  await tenant.flag({ key: 'other', filters: open({ payloads: { true: '"enc:test:AAAA"' } }) })

  const rotating = { ...env, PAYLOAD_KEYS_NEXT: NEW_KEY, ACCOUNT_KEYS_NEXT: NEW_KEY } as Env
  const standby = { ...rotating, PAYLOAD_KEYS_NEXT: `${NEW_KEY}:standby` } as Env
  await continueRotation(standby, query, 'PAYLOAD_KEYS')
  expect(await readRotation(query, 'PAYLOAD_KEYS')).toBeNull()

  const ring = keyringOf(rotating, 'PAYLOAD_KEYS')
  const states = []
  for (let pass = 0; pass === 0 || !states.at(-1)!.isVerified; pass += 1) {
    // One window a run; a version that does not know the new key yet continues writing.
    if (pass === 3) expect((await change('"late"')).status).toBe(200)
    states.push((await reencrypt(query, 'PAYLOAD_KEYS', ring, 1))!)
  }
  expect(states.at(-1)).toEqual({
    keyId: 'new',
    pass: 3,
    column: 3,
    row: 0,
    rewritten: 0,
    unreadable: 1,
    isVerified: true,
  })
  for (let runs = 0; runs < 2; runs += 1) await continueRotation(rotating, query, 'ACCOUNT_KEYS')
  expect(await readRotation(query, 'ACCOUNT_KEYS')).toMatchObject({ isVerified: true, unreadable: 0 })
  expect(await encryptedColumnsOf(env.DB)).toEqual({
    ...listed(['new']),
    // What only looks like a value stays.
    'feature_flags.filters': ['new', 'test'],
  })

  const { send } = createHarness({ bindings: { PAYLOAD_KEYS: NEW_KEY, ACCOUNT_KEYS: NEW_KEY } })
  const payload = await send('GET', tenant.flags(`${id}/remote_config`), {
    headers: { Authorization: `Bearer ${tenant.key}` },
  })
  expect(payload).toMatchObject({ status: 200, body: '"late"' })
})
