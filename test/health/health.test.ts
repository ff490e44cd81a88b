import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seen } from '../support/answers'
import { createHarness } from '../support/harness'

describe('GET /health', () => {
  it('touches nothing', async () => {
    const answer = await createHarness({ bindings: { DB: undefined as never } }).send('GET', '/health')
    expect(seen(answer)).toEqual({ status: 200, body: { status: 'ok' } })
    expect(answer.line).toMatchObject({ route: '/health', d1_round_trips: 0, actor: 'anonymous' })
  })
})

describe('GET /ready', () => {
  it('says that every part answers', async () => {
    expect(seen(await createHarness().send('GET', '/ready'))).toEqual({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', project_object: 'ok', snapshots: 'ok' } },
    })
  })

  it('names the part that does not, and tells the log why', async () => {
    const SNAPSHOTS = {
      get: () => Promise.reject(new Error('kv is away')),
    } as unknown as Env['SNAPSHOTS']
    const answer = await createHarness({ bindings: { SNAPSHOTS } }).send('GET', '/ready')
    expect(seen(answer)).toEqual({
      status: 503,
      body: { status: 'failed', checks: { database: 'ok', project_object: 'ok', snapshots: 'failed' } },
    })
    expect(answer.headers.get('Retry-After')).toBe('5')
    expect(answer.line).toMatchObject({
      level: 'error',
      route: '/ready',
      error: expect.stringMatching(/snapshots: Error: kv is away/),
    })
  })

  it.each([
    [
      'database',
      {
        DB: {
          prepare: () => {
            throw new Error('d1 is away')
          },
        } as unknown as Env['DB'],
      },
      'database: Error: d1 is away',
    ],
    [
      'project_object',
      {
        PROJECTS: {
          getByName: () => ({ confirm: () => Promise.reject(new Error('the object is away')) }),
        } as unknown as Env['PROJECTS'],
      },
      'project_object: Error: the object is away',
    ],
  ])('names %s alone when that is away', async (part, bindings: Partial<Env>, problem) => {
    const answer = await createHarness({ bindings }).send('GET', '/ready')
    expect(seen(answer)).toEqual({
      status: 503,
      body: {
        status: 'failed',
        checks: { database: 'ok', project_object: 'ok', snapshots: 'ok', [part]: 'failed' },
      },
    })
    expect(answer.line.error).toContain(problem)
  })

  it('does not wait for a part that never answers', { timeout: 15_000 }, async () => {
    const SNAPSHOTS = { ...env.SNAPSHOTS, get: () => new Promise(() => {}) } as unknown as Env['SNAPSHOTS']
    const { status, body, line } = await createHarness({ bindings: { SNAPSHOTS } }).send('GET', '/ready')
    expect([status, body.checks.snapshots]).toEqual([503, 'failed'])
    expect(line.error).toContain('snapshots: no answer within 3000 ms')
  })
})

describe.each(['/health', '/ready', '/health/', '/ready/'])('%s', (path) => {
  it('answers GET and HEAD alone', async () => {
    const harness = createHarness()
    expect(await harness.send('HEAD', path)).toMatchObject({ status: 200, body: null })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await harness.send(method, path)
      expect(seen(answer)).toEqual({
        status: 405,
        body: {
          type: 'invalid_request',
          code: 'method_not_allowed',
          detail: `Method "${method}" not allowed.`,
          attr: null,
        },
      })
      expect(answer.headers.get('Allow')).toBe('GET')
    }
  })
})
