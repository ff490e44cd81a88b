import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Deps } from '../../src/deps'
import type { AppEnv } from '../../src/http/app-env'
import { createRequestMemory } from '../../src/http/limits/request-memory'
import { renderError } from '../../src/http/render-error'
import { SMALL_BODY } from '../../src/sdk/body/read-body'
import type { SdkOperation } from '../../src/sdk/operation'
import { createSdk } from '../../src/sdk/router'
import { sdkRoutes } from '../../src/sdk/routes'

const operation = (definition: Partial<SdkOperation>): SdkOperation => ({
  id: 'sample',
  methods: ['post'],
  paths: ['/sample/'],
  summary: 'A sample',
  security: 'projectToken',
  responses: { 200: z.unknown() },
  handle: async () => ({}),
  ...definition,
})

function appOf(...operations: SdkOperation[]) {
  const app = new Hono<AppEnv>({ strict: false })
  const routes: string[] = []
  app.use(async (c, next) => {
    c.set('deps', { memory: createRequestMemory().open() } as Deps)
    await next()
    routes.push(c.get('route'))
  })
  app.route('/', sdkRoutes(createSdk(operations)))
  app.onError((error) => renderError(error))
  return { routes, request: (path: string, init: RequestInit = {}) => app.request(path, init) }
}

describe('an SDK operation', () => {
  it('responds with its result, on all paths and methods', async () => {
    const { request, routes } = appOf(
      operation({
        methods: ['get', 'post'],
        paths: ['/one/', '/other'],
        handle: async ({ url, request: { method } }) => ({ method, v: url.searchParams.get('v') }),
      }),
    )
    for (const path of ['/one', '/one/?v=2', '/other/', '/other']) {
      for (const method of ['GET', 'POST']) {
        const v = path.includes('v=2') ? '2' : null
        expect(await (await request(path, { method })).json()).toEqual({ method, v })
      }
    }
    expect(new Set(routes)).toEqual(new Set(['/one/']))
  })

  it('shares a path with an operation of another method', async () => {
    const { request } = appOf(
      operation({ methods: ['get'], handle: async () => 'got' }),
      operation({ methods: ['post'], handle: async () => 'posted' }),
    )
    expect(await (await request('/sample')).json()).toBe('got')
    expect(await (await request('/sample', { method: 'POST' })).json()).toBe('posted')
    const refused = await request('/sample', { method: 'PATCH' })
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, POST, OPTIONS'])
  })

  it('responds to HEAD as to GET, without the body', async () => {
    const { request } = appOf(operation({ methods: ['get'], handle: async () => 'got' }))
    const response = await request('/sample', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('may respond without a body, with another status, or with a Response', async () => {
    const { request } = appOf(
      operation({ paths: ['/nothing'], responses: { 204: 'empty', 400: z.unknown() } }),
      operation({ paths: ['/created'], responses: { 201: z.unknown() } }),
      operation({ paths: ['/own'], handle: async () => new Response('own', { status: 202 }) }),
    )
    const seen = async (path: string) => {
      const response = await request(path, { method: 'POST' })
      return [response.status, await response.text(), response.headers.get('Access-Control-Allow-Origin')]
    }
    expect(await seen('/nothing')).toEqual([204, '', '*'])
    expect(await seen('/created')).toEqual([201, '{}', '*'])
    expect(await seen('/own')).toEqual([202, 'own', '*'])
  })

  it('reads its body once, within its own limit', async () => {
    const TINY = { ...SMALL_BODY, maxBytes: 100 }
    const { request } = appOf(
      operation({ handle: async ({ readBody }) => [await readBody(TINY), await readBody(TINY)] }),
    )
    const sent = await request('/sample', { method: 'POST', body: '{"a": 1}' })
    expect(await sent.json()).toEqual([{ a: 1 }, { a: 1 }])
    const large = await request('/sample', { method: 'POST', body: `"${'x'.repeat(100)}"` })
    expect([large.status, await large.json()]).toMatchObject([413, { code: 'request_too_large' }])
  })
})
