// Where a key may stand, and that it stays out of everything that is said or written.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { personalApiKeys } from '../../drizzle'
import { seen } from '../support/responses'
import { webhook } from '../support/database/rows'
import { createTenant, database } from '../support/tenant'
import { unauthorized } from './call'
import { watch } from './watch'

const invalidIn = (where: string) =>
  unauthorized('authentication_failed', `Personal API key found in request ${where} is invalid.`)

describe('a personal API key', () => {
  it('is accepted in the query', async () => {
    const watched = watch()
    const tenant = await watched.tenant()
    const flag = await tenant.flag()
    const path = tenant.flags(flag.id)
    const response = await tenant.send('GET', `${path}?personal_api_key=${tenant.key}`)
    expect(response).toMatchObject({ status: 200, body: { id: flag.id } })
    expect(seen(await tenant.send('GET', `${path}?personal_api_key=phx_no`))).toEqual(
      invalidIn('query string'),
    )
    watched.check()
  })

  it('stays out of the links of a page', async () => {
    const watched = watch()
    const tenant = await watched.tenant()
    for (const key of ['a', 'b', 'c']) await tenant.flag({ key })
    for (const rest of [`?limit=1&offset=1`, `activity/?limit=1&page=2`]) {
      const { status, body } = await tenant.send(
        'GET',
        `${tenant.flags()}${rest}&personal_api_key=${tenant.key}`,
      )
      expect(status).toBe(200)
      expect(body.next).not.toBe(null)
      expect(body.previous).not.toBe(null)
    }
    watched.check()
  })

  it('is accepted in the body', async () => {
    const watched = watch()
    const tenant = await watched.tenant()
    const path = tenant.flags()
    const created = await tenant.send('POST', path, { body: { key: 'a', personal_api_key: tenant.key } })
    expect(created).toMatchObject({ status: 201, body: { key: 'a' } })
    const refused = await tenant.send('POST', path, { body: { key: 'b', personal_api_key: 'phx_no' } })
    expect(seen(refused)).toEqual(invalidIn('body'))
    // An operation that takes no body takes the key in one.
    const hook = `/api/projects/${tenant.projectId}/webhooks/${await webhook(tenant)}/`
    for (const [method, at] of [
      ['POST', `${hook}rotate_secret/`],
      ['DELETE', hook],
    ] as const) {
      const body = { personal_api_key: tenant.key }
      expect((await tenant.send(method, at, { body })).status).toBeLessThan(300)
    }
    watched.check()
  })

  it('is read from the first of header, body, query', async () => {
    const tenant = await createTenant()
    const path = `${tenant.flags()}?personal_api_key=${tenant.key}`
    const body = { key: 'a', personal_api_key: tenant.key }
    const inHeader = await tenant.send('POST', path, { body, headers: { Authorization: 'Bearer phx_no' } })
    expect(seen(inHeader)).toEqual(invalidIn('Authorization header'))
    const inBody = await tenant.send('POST', path, { body: { ...body, personal_api_key: 'phx_no' } })
    expect(seen(inBody)).toEqual(invalidIn('body'))
    expect((await tenant.send('POST', path, { body: { key: 'a' } })).status).toBe(201)
  })

  it('must be text, and is not found in an invalid body', async () => {
    const tenant = await createTenant()
    const missing = unauthorized('not_authenticated', 'Authentication credentials were not provided.')
    for (const value of [1, true, null, '', [tenant.key], { key: tenant.key }]) {
      const response = await tenant.send('POST', tenant.flags(), {
        body: { key: 'a', personal_api_key: value },
      })
      expect(seen(response)).toEqual(missing)
    }
    const raw = `{"personal_api_key": "${tenant.key}", `
    const headers = { 'Content-Type': 'application/json' }
    expect(seen(await tenant.send('POST', tenant.flags(), { raw, headers }))).toEqual(missing)
  })

  it('needs its scheme, and is not a project token', async () => {
    const tenant = await createTenant()
    const withHeader = async (Authorization: string) =>
      seen(await tenant.send('GET', tenant.flags(), { headers: { Authorization } }))
    for (const header of [tenant.key, `Token ${tenant.key}`, 'Bearer']) {
      expect(await withHeader(header)).toEqual(
        unauthorized(
          'not_authenticated',
          'Authentication credentials were not provided. Send the header as "Authorization: Bearer <personal API key>".',
        ),
      )
    }
    expect(await withHeader(`Bearer ${tenant.projectToken}`)).toEqual(
      unauthorized(
        'authentication_failed',
        'Personal API key found in request Authorization header is invalid. ' +
          'It is a project token, which only SDK endpoints take: send a personal API key (phx_…).',
      ),
    )
  })

  it('accepts any case of the scheme', async () => {
    const tenant = await createTenant()
    for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
      expect(
        (await tenant.send('GET', tenant.flags(), { headers: { Authorization: `${scheme} ${tenant.key}` } }))
          .status,
      ).toBe(200)
  })

  it('is stored as a digest only', async () => {
    const tenant = await createTenant()
    const rows = await database()
      .select()
      .from(personalApiKeys)
      .where(eq(personalApiKeys.userId, tenant.user.id))
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(tenant.key)
    expect(rows[0]!.secureValue).toMatch(/^sha256\$[0-9a-f]{64}$/)
    const digest = await tenant.send('GET', tenant.flags(), {
      headers: { Authorization: `Bearer ${rows[0]!.secureValue}` },
    })
    expect(digest.status).toBe(401)
  })

  it('is invalid once deleted and dropped from the cache', async () => {
    const tenant = await createTenant()
    expect((await tenant.get(tenant.flags())).status).toBe(200)
    await database().delete(personalApiKeys).where(eq(personalApiKeys.userId, tenant.user.id))
    tenant.clock.advance({ seconds: 31 })
    expect((await tenant.get(tenant.flags())).status).toBe(401)
  })
})
