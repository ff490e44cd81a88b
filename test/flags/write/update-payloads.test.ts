import { describe, expect, it } from 'vitest'
import { PLACEHOLDER } from '../../../src/flags/payloads'
import { refused, seen } from '../../support/responses'
import { open, variants } from '../../support/filters'
import { overwriteFlag, storedFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const update = async (tenant: Tenant, id: number, body: Json) =>
  seen(await tenant.patch(tenant.flags(id), body))

const SECRET = { is_remote_configuration: true, has_encrypted_payloads: true }
const CIPHERTEXT = /^enc:test:[A-Za-z0-9+/]+=*$/
const REQUIRED = refused(null, 'An encrypted payload is required when has_encrypted_payloads is true.')

const payloadsAtRest = async (id: number) => (await storedFlag(id))?.filters.payloads

/** A flag with an encrypted payload, and its ciphertext. */
async function secretFlag() {
  const tenant = await createTenant()
  const flag = await tenant.flag({ ...SECRET, filters: open({ payloads: { true: { secret: 1 } } }) })
  const sealed = (await payloadsAtRest(flag.id))!.true!
  expect(sealed).toMatch(CIPHERTEXT)
  return { tenant, flag, sealed }
}

describe('the placeholder', () => {
  const NOT_READ = refused(
    'filters',
    'payloads.true: this text stands for a payload that you cannot read. Send the payload itself.',
  )

  it.each([
    ['a new flag', {}],
    ['a new flag with encrypted payloads', SECRET],
  ])('is no payload of %s', async (_, fields) => {
    const tenant = await createTenant()
    const copy = { key: 'copy', ...fields, filters: open({ payloads: { true: PLACEHOLDER } }) }
    expect(seen(await tenant.post(tenant.flags(), copy))).toEqual(NOT_READ)
    const flag = await tenant.flag({ filters: open() })
    expect(await update(tenant, flag.id, { filters: copy.filters })).toEqual(NOT_READ)
  })

  it('stands for the payload of a variant that has one', async () => {
    const tenant = await createTenant()
    const filters = (payloads: Json) => variants({ a: 50, b: 50 }, { payloads })
    const flag = await tenant.flag({ ...SECRET, filters: filters({ a: '"1"' }) })
    expect(
      await update(tenant, flag.id, { filters: filters({ a: PLACEHOLDER, b: PLACEHOLDER }) }),
    ).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^payloads\.b: this text stands for/) },
    })
  })
})

describe('a flag with encrypted payloads', () => {
  it('shows them in the clear to an API key, wherever it is shown', async () => {
    const { tenant, flag } = await secretFlag()
    expect(flag.filters.payloads).toEqual({ true: '{"secret":1}' })
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
    expect((await tenant.get(tenant.flags())).body.results).toEqual([flag])
  })

  it('keeps them when filters are not sent', async () => {
    const { tenant, flag, sealed } = await secretFlag()
    expect(await update(tenant, flag.id, { name: 'x' })).toMatchObject({ body: { filters: flag.filters } })
    expect(await payloadsAtRest(flag.id)).toEqual({ true: sealed })
  })

  it.each([
    ['without payloads', {}],
    ['with none', { payloads: {} }],
    ['with the placeholder', { payloads: { true: PLACEHOLDER } }],
    ['with the placeholder in quotation marks', { payloads: { true: JSON.stringify(PLACEHOLDER) } }],
  ])('keeps them when filters are sent %s', async (_, payloads) => {
    const { tenant, flag, sealed } = await secretFlag()
    expect(await update(tenant, flag.id, { filters: open(payloads) })).toMatchObject({
      status: 200,
      body: { filters: { payloads: { true: '{"secret":1}' } } },
    })
    expect(await payloadsAtRest(flag.id)).toEqual({ true: sealed })
  })

  it('keeps those of variants that are left', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      ...SECRET,
      filters: variants({ a: 50, b: 50 }, { payloads: { a: '"1"', b: '"2"' } }),
    })
    const { body } = await update(tenant, flag.id, {
      filters: variants({ a: 100 }, { payloads: { a: PLACEHOLDER } }),
    })
    expect(body.filters.payloads).toEqual({ a: '"1"' })
    expect(Object.keys((await payloadsAtRest(flag.id))!)).toEqual(['a'])
    expect(await update(tenant, flag.id, { filters: body.filters })).toMatchObject({ status: 200 })
  })

  it('encrypts a new one', async () => {
    const { tenant, flag, sealed } = await secretFlag()
    expect(await update(tenant, flag.id, { filters: open({ payloads: { true: '"fresh"' } }) })).toMatchObject(
      {
        body: { filters: { payloads: { true: '"fresh"' } } },
      },
    )
    const { true: resealed } = (await payloadsAtRest(flag.id))!
    expect(resealed).toMatch(CIPHERTEXT)
    expect(resealed).not.toBe(sealed)
  })

  it('needs one when filters are sent', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ ...SECRET })
    for (const filters of [open(), open({ payloads: {} }), open({ payloads: { true: PLACEHOLDER } })]) {
      expect(await update(tenant, flag.id, { filters })).toEqual(REQUIRED)
    }
    expect(await update(tenant, flag.id, { name: 'x' })).toMatchObject({ status: 200 })
    expect(await update(tenant, flag.id, { filters: open({ payloads: { true: 1 } }) })).toMatchObject({
      status: 200,
    })
  })

  it('never lets plain text be taken for ciphertext', async () => {
    const { tenant, flag } = await secretFlag()
    expect(await update(tenant, flag.id, { filters: open({ payloads: { true: 'enc:test:AAAA' } }) })).toEqual(
      refused('filters', 'Payload value is not valid JSON'),
    )
  })

  it('cannot stop being a remote configuration alone', async () => {
    const { tenant, flag } = await secretFlag()
    expect(await update(tenant, flag.id, { is_remote_configuration: false })).toEqual(
      refused(null, 'Encrypted payloads require the flag to be a remote configuration.'),
    )
    expect(
      await update(tenant, flag.id, { is_remote_configuration: false, has_encrypted_payloads: false }),
    ).toMatchObject({ status: 200 })
  })

  it('has no secret in its activity log', async () => {
    const { tenant, flag } = await secretFlag()
    await update(tenant, flag.id, { filters: open({ payloads: { true: '"fresh"' } }) })
    await update(tenant, flag.id, { deleted: true })
    const log = JSON.stringify((await tenant.get(tenant.flags(`${flag.id}/activity`))).body)
    expect(log).toContain('enc:test:')
    expect(log).not.toContain('secret')
    expect(log).not.toContain('fresh')
  })

  it('can be repaired and deleted when its payload cannot be read any more', async () => {
    const { tenant, flag } = await secretFlag()
    await overwriteFlag(flag.id, {
      filters: { ...(await storedFlag(flag.id))!.filters, payloads: { true: 'enc:lost:AAAA' } },
    })
    expect((await tenant.get(tenant.flags(flag.id))).body.filters.payloads).toEqual({ true: PLACEHOLDER })
    expect((await tenant.get(tenant.flags())).body.results[0].filters.payloads).toEqual({
      true: PLACEHOLDER,
    })
    expect(await update(tenant, flag.id, { deleted: true })).toMatchObject({ status: 200 })
    expect(await payloadsAtRest(flag.id)).toEqual({ true: 'enc:lost:AAAA' })
    expect(await update(tenant, flag.id, { filters: open({ payloads: { true: '"fresh"' } }) })).toMatchObject(
      {
        status: 200,
        body: { filters: { payloads: { true: '"fresh"' } } },
      },
    )
  })
})

describe('encryption that is switched on', () => {
  it('encrypts stored plain payloads', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      is_remote_configuration: true,
      filters: open({ payloads: { true: 5 } }),
    })
    expect(await payloadsAtRest(flag.id)).toEqual({ true: '5' })
    expect(await update(tenant, flag.id, { has_encrypted_payloads: true })).toMatchObject({
      body: { filters: { payloads: { true: '5' } }, has_encrypted_payloads: true },
    })
    expect(await payloadsAtRest(flag.id)).toEqual({ true: expect.stringMatching(CIPHERTEXT) })
  })
})

describe('encryption that is switched off', () => {
  const OFF = { has_encrypted_payloads: false }

  it('takes the payload with it', async () => {
    const { tenant, flag } = await secretFlag()
    const { body } = await update(tenant, flag.id, OFF)
    expect(body).toEqual({
      ...flag,
      ...OFF,
      version: 2,
      filters: { ...flag.filters, payloads: {} },
    })
    expect(await payloadsAtRest(flag.id)).toEqual({})
  })

  it.each([
    ['the placeholder', PLACEHOLDER, {}],
    ['the placeholder in quotation marks', JSON.stringify(PLACEHOLDER), {}],
    ['an empty text', '""', {}],
    ['a payload in the clear', '{"open": 1}', { true: '{"open": 1}' }],
  ])('uses other fields of the request: %s', async (_, payload, kept) => {
    const { tenant, flag } = await secretFlag()
    const { body } = await update(tenant, flag.id, {
      ...OFF,
      filters: open({ payloads: { true: payload } }),
    })
    expect(body.filters.payloads).toEqual(kept)
    expect(await payloadsAtRest(flag.id)).toEqual(kept)
  })

  it('brings nothing back when filters come without payloads', async () => {
    const { tenant, flag } = await secretFlag()
    const { body } = await update(tenant, flag.id, { ...OFF, filters: open() })
    expect(JSON.stringify(body)).not.toContain('enc:')
    expect(await payloadsAtRest(flag.id)).toEqual({})
  })
})
