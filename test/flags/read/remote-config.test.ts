import { describe, expect, it } from 'vitest'
import { createPayloadCipher, PLACEHOLDER } from '../../../src/flags/payloads'
import { readablePayload } from '../../../src/flags/payloads'
import { seen } from '../../support/responses'
import { open } from '../../support/filters'
import { replaceBindings } from '../../support/faults/faulty-bindings'
import { createHarness } from '../../support/harness'
import { overwriteFlag, storedFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const REMOTE = { is_remote_configuration: true }
const SECRET = { ...REMOTE, has_encrypted_payloads: true }
const NOTHING = { status: 404, body: null }

const payload = (value: unknown, body: Json = REMOTE) => ({
  ...body,
  filters: open({ payloads: { true: value } }),
})

const read = async (tenant: Tenant, idOrKey: string | number) =>
  seen(await tenant.get(tenant.flags(`${idOrKey}/remote_config`)))

describe('GET feature_flags/:id_or_key/remote_config', () => {
  it('answers the payload as JSON text, by id and by key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'banner', ...payload({ text: 'Hello' }) })
    const response = { status: 200, body: '{"text":"Hello"}' }
    expect(await read(tenant, flag.id)).toEqual(response)
    expect(await read(tenant, 'banner')).toEqual(response)
    expect(
      seen(await tenant.get(`/api/projects/${tenant.projectId}/feature_flags/banner/remote_config`)),
    ).toEqual(response)
  })

  it.each([
    ['text', '{"a": 1}', '{"a": 1}'],
    ['a number', 5, '5'],
    ['false', false, 'false'],
    ['null', null, 'null'],
  ])('answers it as it is stored: %s', async (_, sent, stored) => {
    const tenant = await createTenant()
    const { id } = await tenant.flag(payload(sent))
    expect(await read(tenant, id)).toEqual({ status: 200, body: stored })
  })

  it('answers null without a payload', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag(REMOTE)
    const response = await tenant.get(tenant.flags(`${id}/remote_config`))
    expect(seen(response)).toEqual({ status: 200, body: null })
    expect(response.headers.get('Content-Type')).toContain('application/json')
  })

  it('does not ask whether the flag is active', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ ...payload('1'), active: false })
    expect(await read(tenant, id)).toEqual({ status: 200, body: '1' })
  })

  it('takes digits for an id, never for a key', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: '123456789', ...payload('"by key"') })
    expect(await read(tenant, '123456789')).toEqual(NOTHING)
    const many = '9'.repeat(20)
    await tenant.flag({ key: many, ...payload('1') })
    expect(await read(tenant, many)).toEqual(NOTHING)
    await tenant.flag({ key: '12-34', ...payload('"by key"') })
    expect(await read(tenant, '12-34')).toMatchObject({ status: 200 })
  })

  it('rejects other flags without details', async () => {
    const tenant = await createTenant()
    const plain = await tenant.flag({ filters: open({ payloads: { true: '1' } }) })
    const unsure = await tenant.flag({ is_remote_configuration: null })
    const gone = await tenant.flag({ key: 'gone', ...payload('1') })
    await tenant.patch(tenant.flags(gone.id), { deleted: true })
    const foreign = await (await createTenant()).flag({ key: 'foreign', ...payload('1') })
    for (const name of [
      plain.id,
      plain.key,
      unsure.id,
      gone.id,
      'gone',
      foreign.id,
      'foreign',
      999_999,
      'Gone',
    ]) {
      expect(await read(tenant, name)).toEqual(NOTHING)
    }
  })
})

describe('an encrypted remote configuration', () => {
  it('is ciphertext at rest and plain text to an API key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(payload({ token: 'hush' }, SECRET))
    const row = await storedFlag(flag.id)
    expect(row!.filters.payloads!.true).toMatch(/^enc:test:[A-Za-z0-9+/]+=*$/)
    expect(JSON.stringify(row)).not.toContain('hush')
    expect(await read(tenant, flag.id)).toEqual({ status: 200, body: '{"token":"hush"}' })
  })

  it('is encrypted differently each time', async () => {
    const tenant = await createTenant()
    const sealed = await Promise.all(
      [1, 2].map(async () => {
        const { id } = await tenant.flag(payload('"same"', SECRET))
        return (await storedFlag(id))!.filters.payloads!.true
      }),
    )
    expect(sealed[0]).not.toBe(sealed[1])
  })

  it('is the placeholder for callers without a key', async () => {
    const cipher = createPayloadCipher({ PAYLOAD_KEYS: `test:${btoa('k'.repeat(32))}` })
    const sealed = await cipher.encrypt('"hush"')
    const reader = { actor: { kind: 'system' }, project: { membershipLevel: 15 }, cipher } as const
    expect(await readablePayload(sealed, reader)).toBe(PLACEHOLDER)
    expect(await readablePayload('"open"', reader)).toBe('"open"')
    expect(PLACEHOLDER).toBe('"********* (encrypted)"')
  })

  const FAILED = {
    status: 500,
    body: {
      type: 'server_error',
      code: 'remote_config_decrypt_failed',
      detail: 'Failed to decrypt the remote config payload. Please contact support if the problem persists.',
      attr: null,
    },
  }

  it('is an error of its own when the ciphertext was tampered with', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag(payload('"hush"', SECRET))
    const { filters } = (await storedFlag(id))!
    const sealed = filters.payloads!.true!
    const broken = [
      `${sealed.slice(0, 12)}${sealed[12] === 'A' ? 'B' : 'A'}${sealed.slice(13)}`,
      sealed.slice(0, -4),
      sealed.replace('enc:test:', 'enc:other:'),
      'enc:test:',
      'enc:',
    ]
    for (const text of broken) {
      await overwriteFlag(id, { filters: { ...filters, payloads: { true: text } } })
      expect(await read(tenant, id)).toEqual(FAILED)
    }
  })

  /** A tenant of a deployment with these keys. */
  async function deployedWith(keys: string): Promise<Tenant> {
    const tenant = await createTenant({ harness: createHarness({ bindings: { PAYLOAD_KEYS: keys } }) })
    await replaceBindings(tenant.projectId, { PAYLOAD_KEYS: keys })
    return tenant
  }

  it('is an error of its own on a deployment without a key', async () => {
    const tenant = await deployedWith('')
    const response = await tenant.post(tenant.flags(), { key: 'secret', ...payload('1', SECRET) })
    expect(seen(response)).toEqual({
      status: 500,
      body: {
        type: 'server_error',
        code: 'payload_key_missing',
        detail: 'This deployment has no key for encrypted payloads: set PAYLOAD_KEYS.',
        attr: null,
      },
    })
    expect((await tenant.get(tenant.flags())).body.count).toBe(0)
  })

  it('stays readable while keys rotate', async () => {
    const [old, fresh] = [`old:${btoa('o'.repeat(32))}`, `new:${btoa('n'.repeat(32))}`]
    const tenant = await deployedWith(old)
    const flag = await tenant.flag(payload('"hush"', SECRET))
    const sealedBy = async () => (await storedFlag(flag.id))!.filters.payloads!.true!.split(':')[1]
    expect(await sealedBy()).toBe('old')

    /** The same caller, on a deployment with these keys. */
    const under = (keys: string): Tenant => {
      const { send } = createHarness({ clock: tenant.clock, bindings: { PAYLOAD_KEYS: keys } })
      const headers = { Authorization: `Bearer ${tenant.key}` }
      return {
        ...tenant,
        get: (path) => send('GET', path, { headers }),
        patch: (path, body) => send('PATCH', path, { headers, body }),
      }
    }
    const rotating = under(`${fresh},${old}`)
    expect(await read(rotating, flag.id)).toEqual({ status: 200, body: '"hush"' })
    await replaceBindings(tenant.projectId, { PAYLOAD_KEYS: `${fresh},${old}` })
    await rotating.patch(rotating.flags(flag.id), { filters: open({ payloads: { true: '"hush hush"' } }) })
    expect(await sealedBy()).toBe('new')
    expect(await read(under(`${old}, ${fresh}`), flag.id)).toEqual({ status: 200, body: '"hush hush"' })
    expect(await read(under(fresh), flag.id)).toEqual({ status: 200, body: '"hush hush"' })
    expect(await read(under(old), flag.id)).toEqual(FAILED)
  })
})
