import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seen } from '../support/responses'
import { createHarness } from '../support/harness'
import { databaseOfSize } from '../support/database/database-size'

const OK = { database: 'ok', project_object: 'ok', snapshots: 'ok', events: 'ok' }

const MAIN_ADVICE =
  'Lower ACTIVITY_RETENTION_DAYS or DELETED_RETENTION_DAYS, or raise DATABASE_MAX_BYTES if the plan allows more.'
const SHARD_ADVICE = 'Add a shard, set EVENTS_RETENTION_DAYS, or move projects to ClickHouse.'

const failingShard = (): D1Database =>
  ({
    prepare: () => {
      throw new Error('d1 is away')
    },
  }) as unknown as D1Database

describe('GET /health', () => {
  it('touches nothing', async () => {
    const response = await createHarness({ bindings: { DB: undefined as never } }).send('GET', '/health')
    expect(seen(response)).toEqual({ status: 200, body: { status: 'ok' } })
    expect(response.line).toMatchObject({ route: '/health', d1_round_trips: 0, actor: 'anonymous' })
  })
})

describe('GET /ready', () => {
  it('responds with 200 when every part works', async () => {
    expect(seen(await createHarness().send('GET', '/ready'))).toEqual({
      status: 200,
      body: { status: 'ok', checks: OK, warnings: [] },
    })
  })

  it('responds with 503 with the part that fails, and logs why', async () => {
    const SNAPSHOTS = {
      get: () => Promise.reject(new Error('kv is away')),
    } as unknown as Env['SNAPSHOTS']
    const response = await createHarness({ bindings: { SNAPSHOTS } }).send('GET', '/ready')
    expect(seen(response)).toEqual({
      status: 503,
      body: { status: 'failed', checks: { ...OK, snapshots: 'failed' }, warnings: [] },
    })
    expect(response.headers.get('Retry-After')).toBe('5')
    expect(response.line).toMatchObject({
      level: 'error',
      route: '/ready',
      error: expect.stringMatching(/snapshots: Error: kv is away/),
    })
  })

  it.each([
    ['database', { DB: failingShard() }, 'database: Error: d1 is away'],
    [
      'project_object',
      {
        PROJECTS: {
          getByName: () => ({ publish: () => Promise.reject(new Error('the object is away')) }),
        } as unknown as Env['PROJECTS'],
      },
      'the object is away',
    ],
  ])('names only %s when it is unavailable', async (part, bindings: Partial<Env>, problem) => {
    const response = await createHarness({ bindings }).send('GET', '/ready')
    expect(seen(response)).toEqual({
      status: 503,
      body: { status: 'failed', checks: { ...OK, [part]: 'failed' }, warnings: [] },
    })
    expect(response.line.error).toContain(problem)
  })

  it('responds with 200 with the status degraded when a shard fails, because flags do not need it', async () => {
    const harness = createHarness({ bindings: { EVENTS_2: failingShard() } as Partial<Env> })
    expect(seen(await harness.send('GET', '/ready'))).toEqual({
      status: 200,
      body: { status: 'degraded', checks: { ...OK, events_2: 'failed' }, warnings: [] },
    })
    expect(harness.lines).toContainEqual({
      level: 'error',
      message: 'an analytics shard failed its probe',
      error: expect.stringContaining('events_2: Error: d1 is away'),
    })
  })

  it('responds with 503 when a shard and the main database fail', async () => {
    const bindings = { DB: failingShard(), EVENTS: failingShard() }
    const { status, body } = await createHarness({ bindings }).send('GET', '/ready')
    expect([status, body.checks]).toEqual([503, { ...OK, database: 'failed', events: 'failed' }])
  })

  const PAID = 10_000_000_000
  const FREE = 500_000_000

  it.each([
    [7_000_000_000, PAID, null, ''],
    [7_000_000_001, PAID, 'database_filling', '7.0 GB of 10.0 GB'],
    [9_000_000_001, PAID, 'database_nearly_full', '9.0 GB of 10.0 GB'],
    [350_000_000, FREE, null, ''],
    [350_000_001, FREE, 'database_filling', '350 MB of 500 MB'],
    [499_900_000, FREE, 'database_nearly_full', '500 MB of 500 MB'],
  ])('warns of databases of %i bytes where they hold %i: %s', async (bytes, max, code, size) => {
    const bindings = {
      DB: databaseOfSize(bytes, env.DB),
      EVENTS: databaseOfSize(bytes),
      DATABASE_MAX_BYTES: String(max),
    }
    const response = await createHarness({ bindings }).send('GET', '/ready')
    const warning = (database: string, advice: string) => ({
      database,
      code,
      detail: `${database} holds ${size}. ${advice}`,
      bytes,
      max_bytes: max,
    })
    expect(seen(response)).toEqual({
      status: 200,
      body: {
        status: 'ok',
        checks: OK,
        warnings: code ? [warning('DB', MAIN_ADVICE), warning('EVENTS', SHARD_ADVICE)] : [],
      },
    })
  })

  it('responds with 503 when the main database is full, with the reason', async () => {
    const bindings = { DB: databaseOfSize(PAID, env.DB) }
    const response = await createHarness({ bindings }).send('GET', '/ready')
    const detail = `DB holds 10.0 GB of 10.0 GB. ${MAIN_ADVICE}`
    expect(seen(response)).toEqual({
      status: 503,
      body: {
        status: 'failed',
        checks: { ...OK, database: 'failed' },
        warnings: [{ database: 'DB', code: 'database_full', detail, bytes: PAID, max_bytes: PAID }],
      },
    })
    expect(response.line.error).toContain(`database: ${detail}`)
  })

  it('responds with 200 with the status degraded when a shard is full', async () => {
    const bindings = { EVENTS: databaseOfSize(PAID) }
    const detail = `EVENTS holds 10.0 GB of 10.0 GB. ${SHARD_ADVICE}`
    expect(seen(await createHarness({ bindings }).send('GET', '/ready'))).toEqual({
      status: 200,
      body: {
        status: 'degraded',
        checks: { ...OK, events: 'failed' },
        warnings: [{ database: 'EVENTS', code: 'database_full', detail, bytes: PAID, max_bytes: PAID }],
      },
    })
  })

  it.each(['', '0', 'ten', '-5', '1e9'])('takes 10 GB for a DATABASE_MAX_BYTES of %j', async (max) => {
    const bindings = { DB: databaseOfSize(9_000_000_001, env.DB), DATABASE_MAX_BYTES: max }
    const { body } = await createHarness({ bindings }).send('GET', '/ready')
    expect(body.warnings).toMatchObject([{ code: 'database_nearly_full', max_bytes: PAID }])
  })

  it('responds with 503 when KV takes no writes', async () => {
    const put = () => Promise.reject(new Error('KV PUT failed: 429 Too Many Requests'))
    const SNAPSHOTS = { get: env.SNAPSHOTS.get.bind(env.SNAPSHOTS), put } as unknown as Env['SNAPSHOTS']
    const harness = createHarness({ bindings: { SNAPSHOTS } })
    harness.clock.advance({ days: 1 })
    const { status, body, line } = await harness.send('GET', '/ready')
    expect([status, body.checks.snapshots]).toEqual([503, 'failed'])
    expect(line.error).toContain('snapshots: Error: KV PUT failed: 429')
  })

  it('does not wait for a part that never answers', { timeout: 15_000 }, async () => {
    const SNAPSHOTS = { ...env.SNAPSHOTS, get: () => new Promise(() => {}) } as unknown as Env['SNAPSHOTS']
    const { status, body, line } = await createHarness({ bindings: { SNAPSHOTS } }).send('GET', '/ready')
    expect([status, body.checks.snapshots]).toEqual([503, 'failed'])
    expect(line.error).toContain('snapshots: Error: no response within 3000 ms')
  })
})

describe.each(['/health', '/ready', '/health/', '/ready/'])('%s', (path) => {
  it('answers GET and HEAD alone', async () => {
    const harness = createHarness()
    expect(await harness.send('HEAD', path)).toMatchObject({ status: 200, body: null })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await harness.send(method, path)
      expect(seen(response)).toEqual({
        status: 405,
        body: {
          type: 'invalid_request',
          code: 'method_not_allowed',
          detail: `Method "${method}" not allowed.`,
          attr: null,
        },
      })
      expect(response.headers.get('Allow')).toBe('GET')
    }
  })
})
