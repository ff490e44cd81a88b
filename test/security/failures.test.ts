// When storage fails: what the caller is told, and what the log is not.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { replaceBindings } from '../support/faults/faulty-bindings'
import { createHarness } from '../support/harness'
import { createTenant } from '../support/tenant'
import { seen } from '../support/responses'

const CRASH = {
  status: 500,
  body: { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
}
const UNAVAILABLE = {
  status: 503,
  body: {
    type: 'server_error',
    code: 'database_unavailable',
    detail: 'The database is temporarily unavailable. Please retry.',
    attr: null,
  },
}

/** A database that does one thing, whatever it is asked. */
function databaseThat(act: () => Promise<never>): D1Database {
  const statement = { bind: () => statement, all: act, run: act, raw: act, first: act }
  return { prepare: () => statement, batch: act } as unknown as D1Database
}

const throwing = {
  prepare() {
    throw new Error('secret internals')
  },
} as unknown as D1Database

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a database that fails', () => {
  it.each([
    ['throws', throwing],
    ['rejects', databaseThat(() => Promise.reject(new Error('D1_ERROR: secret internals')))],
  ])('is a 500 without details when it %s', async (_, DB) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const harness = createHarness({ bindings: { DB } })
    const response = await harness.send('GET', '/api/projects/1/feature_flags/', {
      headers: { Authorization: 'Bearer phx_wellkept' },
    })
    expect(seen(response)).toEqual(CRASH)
    expect(response.headers.get('X-Request-Id')).toBe(response.line.request_id)
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(response.line).toMatchObject({ level: 'error', status: 500 })
    expect(response.line.error).toContain('secret internals')
    expect(JSON.stringify(harness.lines)).not.toContain('wellkept')
  })

  it('logs nothing of the request', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { DB } = (await import('cloudflare:workers')).env
    let broken = false
    const fragile = {
      prepare: (query: string) =>
        broken ? databaseThat(() => Promise.reject(new Error('lost'))).prepare('') : DB.prepare(query),
      batch: (statements: D1PreparedStatement[]) =>
        broken ? Promise.reject(new Error('lost')) : DB.batch(statements),
    } as unknown as D1Database
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: fragile } }) })
    await tenant.get(tenant.flags())
    await replaceBindings(tenant.projectId, { DB: fragile })
    broken = true

    const responses = [
      await tenant.post(tenant.flags(), { key: 'wellkept-key', name: 'wellkept name' }),
      await tenant.get(`${tenant.flags()}?search=wellkept`),
      await tenant.get(`${tenant.flags('wellkept')}remote_config/`),
      await tenant.patch(tenant.flags(1), { name: 'wellkept', original_flag: { name: 'wellkept' } }),
    ]
    for (const response of responses) {
      expect(seen(response)).toEqual(CRASH)
      expect(response.line.error).toContain('lost')
    }
    expect(JSON.stringify(tenant.lines)).not.toContain('wellkept')
    expect(JSON.stringify(tenant.lines)).not.toContain(tenant.key)
  })

  it('is a 503 with Retry-After on a timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const DB = databaseThat(() => new Promise(() => {}))
    const harness = createHarness({ bindings: { DB } })
    const headers = { Authorization: 'Bearer phx_x' }
    const pending = harness.send('GET', '/api/projects/1/feature_flags/', { headers })
    for (let waited = 0; waited < 20 && vi.getTimerCount() === 0; waited += 1) await scheduler.wait(5)
    await vi.advanceTimersByTimeAsync(8_000)
    const response = await pending
    expect(seen(response)).toEqual(UNAVAILABLE)
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(response.line).toMatchObject({ level: 'error', status: 503, d1_round_trips: 1 })
    expect(response.line.error).toContain('The database is temporarily unavailable')
  })
})

describe('the log', () => {
  it('contains neither key, body, query nor the path of a route', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'wellkept', name: 'wellkept' })
    await tenant.patch(tenant.flags(flag.id), { name: 'wellkept', filters: { groups: 'wellkept' } })
    await tenant.get(`${tenant.flags()}?search=wellkept&personal_api_key=wellkept`)
    await tenant.get(`${tenant.flags('wellkept')}remote_config/`)
    await tenant.get('/wellkept')
    await tenant.send('POST', tenant.flags(), {
      raw: 'wellkept',
      headers: { 'Content-Type': 'wellkept/wellkept' },
    })
    expect(tenant.lines).toHaveLength(6)
    // A request without a route is logged with its path.
    const [unrouted] = tenant.lines.splice(4, 1)
    expect(unrouted).toMatchObject({ route: null, path: '/wellkept', status: 404 })
    expect(JSON.stringify(tenant.lines)).not.toContain('wellkept')
    expect(JSON.stringify(tenant.lines)).not.toContain(tenant.key)
    expect(tenant.lines[0]).toEqual({
      level: 'info',
      message: 'request',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'POST',
      route: '/api/projects/:project_id/feature_flags/',
      status: 201,
      duration_ms: expect.any(Number),
      d1_round_trips: 3,
      d1_rows_read: expect.any(Number),
      d1_rows_written: expect.any(Number),
      actor: 'apiKey',
      user_id: tenant.user.id,
      project_id: tenant.projectId,
    })
  })
})
