// Clients send back records that other operations than the one of the same path return: items of lists, versions, the user.
import { describe, expect, it } from 'vitest'
import { areas } from '../../src/areas'
import type { Operation } from '../../src/http/operation'
import { browserOf, paramsFor, pathOf } from '../security/call'
import { createTenant } from '../support/tenant'

type Item = Record<string, unknown>

const operations = areas.flatMap((area) => area.operations)
const pathsRead = new Set(operations.filter(({ method }) => method === 'get').map(({ path }) => path))
const listOf = (path: string) => path.replace(/:\w+\/$/, '')
/** Updates of an object that a list shows. */
const updates = operations.filter(
  ({ method, path }) => /^(?:patch|put)$/.test(method) && /:\w+\/$/.test(path) && pathsRead.has(listOf(path)),
)

const itemsOf = (body: unknown): Item[] =>
  Array.isArray(body) ? (body as Item[]) : (body as { results: Item[] }).results

/** Fields that a write changes by itself. */
const CHANGING = new Set([
  'updated_at',
  'version',
  'last_modified_by',
  'last_used_at',
  'last_updated_at',
  'is_numerical',
])

const seen = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

describe.each(updates)('$method $path', (operation: Operation) => {
  it('takes the item of the list back', async () => {
    const tenant = await createTenant()
    const params = await paramsFor(operation, tenant)
    const browser = await browserOf(tenant)
    const path = pathOf(operation, params)
    const key = decodeURIComponent(path.split('/').at(-2)!)
    const list = await browser.get(pathOf({ ...operation, path: listOf(operation.path) }, params))
    const item = itemsOf(list.body).find(({ id, name, user }) =>
      [String(id), name, (user as Item | undefined)?.uuid].includes(key),
    )
    expect(item).toBeDefined()
    const written = await browser.send(operation.method.toUpperCase(), path, { body: item })
    const lasting = Object.entries(item!).filter(([field]) => !CHANGING.has(field))
    expect(seen(written)).toMatchObject({ status: 200, body: Object.fromEntries(lasting) })
  })
})

describe('a version of a flag', () => {
  it('is taken back by the flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ name: 'First', tags: ['a'] })
    await tenant.patch(tenant.flags(flag.id), { name: 'Second' })
    for (const number of [1, 2]) {
      const version = await tenant.get(tenant.flags(`${flag.id}/versions/${number}`))
      const { version: _, ...fields } = version.body as Item
      const written = await tenant.patch(tenant.flags(flag.id), fields)
      expect(seen(written)).toMatchObject({ status: 200, body: { name: fields.name } })
      const whole = await tenant.patch(tenant.flags(flag.id), { ...version.body })
      expect(seen(whole)).toMatchObject({ status: 200, body: { name: fields.name } })
    }
  })
})

describe('a version of an endpoint', () => {
  it.each(['PATCH', 'PUT'])('is taken back by %s of the endpoint', async (method) => {
    const tenant = await createTenant()
    const query = (text: string) => ({ kind: 'HogQLQuery', query: text })
    await tenant.post(tenant.endpoints(), { name: 'rows', query: query('SELECT 1 AS a') })
    await tenant.patch(tenant.endpoints('rows'), { query: query('SELECT 2 AS a') })
    const versions = itemsOf((await tenant.get(tenant.endpoints('rows/versions'))).body)
    expect(versions).toHaveLength(2)
    for (const version of versions) {
      const { body: read } = await tenant.get(
        `${tenant.endpoints('rows')}?version=${String(version.version)}`,
      )
      for (const record of [version, read as Item]) {
        const written = await tenant.send(method, tenant.endpoints('rows'), {
          headers: { Authorization: `Bearer ${tenant.key}` },
          body: record,
        })
        expect(seen(written)).toMatchObject({ status: 200, body: { query: record.query } })
      }
    }
  })
})

describe('the record of a user', () => {
  it('is taken by scene_personalisation, by a session and by a key', async () => {
    const tenant = await createTenant()
    const browser = await browserOf(tenant)
    const path = '/api/users/@me/scene_personalisation/'
    const own = await browser.get('/api/users/@me/')
    expect((await browser.send('POST', path, { body: own.body as Item })).status).toBe(200)
    const ofKey = await tenant.get('/api/users/@me/')
    expect(seen(await tenant.post(path, ofKey.body))).toMatchObject({ status: 200 })
  })
})
