// Keys that are close to a known one, in the body of every operation.
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { areas } from '../../src/areas'
import { rejectMisspeltKeys } from '../../src/http/body/misspelt-keys'
import { successStatus } from '../../src/http/operation'
import { refused, seen } from '../support/responses'
import { createTenant } from '../support/tenant'

const withBody = areas.flatMap(({ operations }) =>
  operations.flatMap(({ id, body, responses }) => {
    const response = responses[successStatus({ responses })]
    return body ? [{ id, body, shown: response instanceof z.ZodType ? response : null }] : []
  }),
)

/** The fields of a body, as its JSON schema names them. */
const fieldsOf = (body: z.ZodType): string[] =>
  Object.keys(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {})

const misspellings = (field: string): string[] => [
  field.replace(/^(.)(.)/, '$2$1'),
  field.toUpperCase(),
  field.replaceAll('_', ''),
  `${field}x`,
  field.slice(0, -1),
]

describe('the body of every operation', () => {
  it.each(withBody)('$id names the field that a misspelt key means', ({ body, shown }) => {
    const fields = fieldsOf(body).filter((field) => field.length >= 5)
    for (const field of fields) {
      for (const sent of misspellings(field)) {
        if (fields.includes(sent)) continue
        const check = () => rejectMisspeltKeys({ [sent]: 1 }, body, shown)
        expect(check, sent).toThrow(`Unknown field: ${sent}. Did you mean `)
      }
      expect(() => rejectMisspeltKeys({ [field]: null }, body, shown)).not.toThrow()
    }
  })
})

describe('a misspelt key', () => {
  const hint = (sent: string, meant: string) => `Unknown field: ${sent}. Did you mean ${meant}?`

  it('of a flag creates and changes nothing', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(tenant.flags(), { key: 'a', actve: false }))).toEqual(
      refused('actve', hint('actve', 'active'), 'unknown_field'),
    )
    expect((await tenant.get(tenant.flags())).body.count).toBe(0)
    const flag = await tenant.flag()
    expect(seen(await tenant.patch(tenant.flags(flag.id), { isActive: false, name: 'x' }))).toEqual(
      refused('isActive', hint('isActive', 'active'), 'unknown_field'),
    )
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
    expect((await tenant.patch(tenant.flags(flag.id), flag)).status).toBe(200)
  })

  it('has the form of the operation', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect(seen(await tenant.post(tenant.flags(`${flag.id}/test_evaluation`), { distinctId: 'a' }))).toEqual({
      status: 400,
      body: { error: `distinctId: ${hint('distinctId', 'distinct_id')}` },
    })
    expect(seen(await tenant.post(tenant.flags('bulk_update_tags'), { id: [1] }))).toEqual(
      refused('id', hint('id', 'ids'), 'unknown_field'),
    )
  })

  it('of an account or an invite is rejected', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.patch('/api/users/@me/', { firstname: 'Grace' }))).toEqual(
      refused('firstname', hint('firstname', 'first_name'), 'unknown_field'),
    )
    const path = `/api/organizations/${tenant.organizationId}/invites/`
    expect(seen(await tenant.post(path, { email: 'grace@example.com', levle: 1 }))).toEqual(
      refused('email', hint('email', 'target_email'), 'unknown_field'),
    )
  })
})

describe('an integer past 2^53', () => {
  const send = async (raw: string) => {
    const tenant = await createTenant()
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' }
    return { tenant, response: seen(await tenant.send('POST', tenant.flags(), { raw, headers })) }
  }
  const filters = (payload: string) =>
    `{"key": "a", "filters": {"groups": [{}], "payloads": {"true": ${payload}}}}`

  it('is a 400 that names its place', async () => {
    const { tenant, response } = await send(filters('{"id": [1234567890123456789]}'))
    expect(response).toEqual(
      refused(
        'filters__payloads__true__id__0',
        'Integers past 2^53 are not kept exactly: 1234567890123456789. Send it as text.',
      ),
    )
    expect((await tenant.get(tenant.flags())).body.count).toBe(0)
  })

  it('is kept in the text of a payload', async () => {
    const text = '{ "id": 1234567890123456789, "share": 1.10 }'
    const { tenant, response } = await send(filters(JSON.stringify(text)))
    expect(response).toMatchObject({ status: 201, body: { filters: { payloads: { true: text } } } })
    expect((await tenant.get(tenant.flags(response.body.id))).body.filters.payloads).toEqual({ true: text })
    const sent = await tenant.send('POST', '/flags/?v=2', {
      body: { token: tenant.projectToken, distinct_id: 'a' },
    })
    expect(sent.body.flags.a.metadata.payload).toBe(text)
  })

  it('is no less exact in an infinite form', async () => {
    const path = 'filters__payloads__true'
    expect((await send(filters('1e999'))).response).toEqual(
      refused(path, 'Numbers must be finite: 1e999. The largest is about 1.8e308.'),
    )
    expect((await send(filters('{"a": [-1e999]}'))).response).toEqual(
      refused(`${path}__a__0`, 'Numbers must be finite: -1e999. The largest is about 1.8e308.'),
    )
    expect((await send('{"key": "a", "rollback_conditions": {"at": 1e999}}')).response).toEqual(
      refused('rollback_conditions__at', 'Numbers must be finite: 1e999. The largest is about 1.8e308.'),
    )
  })
})
