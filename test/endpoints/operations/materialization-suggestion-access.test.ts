// Who may ask for a suggestion, in which order that is found out, and how often.
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { createHarness } from '../../support/harness'
import { says } from '../../support/server/model'
import { approve, askingTenant, GOOD, suggest } from '../../support/server/suggestions'
import { createTenant } from '../../support/tenant'

describe('access to suggestions', () => {
  const inWords = (status: number, error: string) => ({ status, body: { error } })
  const OFF = inWords(404, 'AI materialization suggestions are not enabled for this project.')
  const FORBIDDEN = inWords(403, 'Enable AI data processing for this organization to use AI suggestions.')
  const NOT_FOUND = {
    status: 404,
    body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
  }

  it('is checked in this order: endpoint, model, organization, version, kind, need', async () => {
    const { tenant, calls } = await askingTenant([])
    await tenant.endpoint({ name: 'insight', query: trends() })
    await tenant.endpoint({ name: 'fine', query: hogql('SELECT count() FROM events') })
    const off = createHarness({ bindings: { AI_MODEL: '', AI_BASE_URL: '' } })
    const offFor = (name: string) =>
      off.send('POST', tenant.endpoints(`${name}/materialization_suggestion`), {
        body: { version: 9 },
        headers: { Authorization: `Bearer ${tenant.key}` },
      })
    await approve(tenant, null)
    expect(seen(await offFor('nothing'))).toEqual(NOT_FOUND)
    expect(seen(await suggest(tenant, 'nothing', { version: 9 }))).toEqual(NOT_FOUND)
    expect(seen(await offFor('insight'))).toEqual(OFF)
    for (const isApproved of [null, false]) {
      await approve(tenant, isApproved)
      expect(seen(await suggest(tenant, 'insight', { version: 9 }))).toEqual(FORBIDDEN)
    }
    await approve(tenant, true)
    expect(seen(await suggest(tenant, 'insight', { version: 9 }))).toEqual(
      inWords(404, 'Version 9 not found'),
    )
    expect(seen(await suggest(tenant, 'insight'))).toEqual(
      inWords(400, 'AI materialization suggestions are only available for SQL endpoints.'),
    )
    expect(seen(await suggest(tenant, 'fine'))).toEqual(
      inWords(400, 'This query can already be materialized.'),
    )
    expect(seen(await suggest(tenant, 'nothing', { version: 'x' }))).toEqual(
      refused('version', 'A valid integer is required.'),
    )
    expect(seen(await suggest(tenant, 'fine', { versions: 1 }))).toEqual(
      refused('versions', 'Unknown field: versions. Did you mean version?', 'unknown_field'),
    )
    expect(await calls()).toEqual([])
  })

  it('is off without the name of a model, or without a provider', async () => {
    for (const bindings of [{ AI_MODEL: '' }, { AI_BASE_URL: '' }] as Partial<Env>[]) {
      const { tenant } = await askingTenant([says(GOOD)], bindings)
      expect(seen(await suggest(tenant))).toEqual(OFF)
    }
  })

  it('is enabled by admins', async () => {
    const member = await createTenant()
    const { status } = await member.patch(`/api/organizations/${member.organizationId}/`, {
      is_ai_data_processing_approved: true,
    })
    expect(status).toBe(403)
  })

  it('is counted by user: ten a minute, a hundred a day, rejections of other kinds among them', async () => {
    const { tenant, calls } = await askingTenant([], { THROTTLES: 'on' })
    await approve(tenant, false)
    for (let minute = 0; minute < 10; minute += 1) {
      for (let call = 0; call < 10; call += 1) expect(seen(await suggest(tenant))).toEqual(FORBIDDEN)
      // What the minute rejects does not count for the day.
      expect((await suggest(tenant)).headers.get('Retry-After')).toBe('60')
      tenant.clock.advance({ minutes: 1 })
    }
    const response = await suggest(await tenant.withKey({}))
    expect(seen(response)).toEqual({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: 'Request was throttled. Expected available in 85800 seconds.',
        attr: null,
      },
    })
    const environment = tenant
      .endpoints('refused/materialization_suggestion')
      .replace('projects', 'environments')
    expect((await tenant.post(environment)).status).toBe(429)
    tenant.clock.advance({ seconds: 85_800 })
    expect(seen(await suggest(tenant))).toEqual(FORBIDDEN)
    expect(await calls()).toEqual([])
  })
})
