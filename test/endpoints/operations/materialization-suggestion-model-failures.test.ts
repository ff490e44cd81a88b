// A model that is away, or answers with anything but a completion.
import { describe, expect, it } from 'vitest'
import { seen } from '../../support/responses'
import { MODEL_KEY, playModel, says } from '../../support/server/model'
import { askingTenant, GOOD, REFUSED, suggest } from '../../support/server/suggestions'

describe('a model that fails', () => {
  const UNREACHABLE = {
    status: 503,
    body: { error: 'The AI service could not be reached. Try again later.' },
  }
  const FAILED = {
    status: 502,
    body: { error: 'The AI suggestion service failed. Try again, or edit the query manually.' },
  }

  it('responds with 503 when it is unreachable', async () => {
    const { tenant } = await askingTenant([], { AI_BASE_URL: 'http://127.0.0.1:1/v1' })
    const response = await suggest(tenant)
    expect(seen(response)).toEqual(UNREACHABLE)
    expect(response.headers.get('Retry-After')).toBe('30')
    expect(response.line.error).toContain('ModelUnreachable')
  })

  it.each([
    ['refuses the key', 401, `{"error": {"message": "Incorrect API key provided: ${MODEL_KEY}"}}`],
    ['has had enough', 429, '{"error": {"message": "Rate limit reached"}}'],
    ['breaks', 500, 'oops'],
    ['sends the key elsewhere', 307, ''],
    ['is no model', 200, '<html></html>'],
    ['has nothing to choose from', 200, '{"choices": []}'],
  ])('is a 502 when it %s, and the log has neither the key nor the messages', async (_, status, body) => {
    const elsewhere = await playModel([says(GOOD)])
    const headers: Record<string, string> =
      status === 307 ? { Location: `${elsewhere.baseUrl}/chat/completions` } : {}
    const { tenant, calls } = await askingTenant([{ status, body, headers }])
    const response = await suggest(tenant)
    expect(seen(response)).toEqual(FAILED)
    expect(await calls()).toHaveLength(1)
    expect(await elsewhere.calls()).toEqual([])
    expect(response.line.error).toContain('ModelFailed')
    const said = JSON.stringify([tenant.lines, [...response.headers]])
    for (const secret of [MODEL_KEY, 'Rate limit', 'oops', 'HAVING']) expect(said).not.toContain(secret)
  })

  it('responds with 502 for an invalid address', async () => {
    const { tenant } = await askingTenant([], { AI_BASE_URL: 'not an address' })
    expect(seen(await suggest(tenant))).toEqual(FAILED)
  })

  it('is one also behind a first suggestion', async () => {
    const { tenant, calls } = await askingTenant([says(REFUSED), { status: 503, body: '' }])
    expect(seen(await suggest(tenant))).toEqual(FAILED)
    expect(await calls()).toHaveLength(2)
  })
})
