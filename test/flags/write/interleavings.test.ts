// Two writers of the same flags, in every order that their calls to the database can have: whatever one does between two calls of the other,
// the result is that of doing one after the other.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { featureFlags } from '../../../drizzle'
import { createHarness } from '../../support/harness'
import { interceptedD1 } from '../../support/intercepted-d1'
import { experiment, overwriteFlag } from '../../support/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

interface Scene {
  tenant: Tenant
  /** Deleted, and holds the key `old`. */
  gone: number
  /** Deleted, and had the key `kept`; an experiment refers to it. */
  tried: number
  /** Live, with the key `live`. */
  live: number
}

type Action = (scene: Scene, send: Tenant['send']) => Promise<number>

const call =
  (method: string, rest: (scene: Scene) => string | number, body: (scene: Scene) => object): Action =>
  async (scene, send) => {
    const headers = { Authorization: `Bearer ${scene.tenant.key}` }
    return (await send(method, scene.tenant.flags(rest(scene)), { body: body(scene), headers })).status
  }
const create = (key: string) =>
  call(
    'POST',
    () => '',
    () => ({ key, name: `made as ${key}`, _should_create_usage_dashboard: false }),
  )
const patch = (which: 'gone' | 'tried' | 'live', body: object) =>
  call(
    'PATCH',
    (scene) => scene[which],
    () => body,
  )

/** There is room for one live flag more. */
const MOST = '2'

const ACTIONS: Record<string, Action> = {
  'create with the key of a deleted flag': create('old'),
  'create with the former key of a deleted flag': create('kept'),
  'rename a deleted flag': patch('gone', { key: 'fresh' }),
  'restore a deleted flag': patch('gone', { deleted: false }),
  'restore a flag under its former key': patch('tried', { deleted: false }),
  'rename a live flag to the key of a deleted one': patch('live', { key: 'old' }),
  'delete in bulk': call(
    'POST',
    () => 'bulk_delete',
    ({ live, gone }) => ({ ids: [live, gone] }),
  ),
}

const AT = '2026-03-01T00:00:00.000000Z'

async function arrange(): Promise<Scene> {
  const tenant = await createTenant({ harness: createHarness({ bindings: { MAX_FLAGS_PER_PROJECT: MOST } }) })
  const flag = (key: string, deleted: boolean) => ({
    projectId: tenant.projectId,
    key,
    name: '',
    filters: { groups: [] },
    deleted,
    createdAt: AT,
    updatedAt: AT,
    searchText: key,
  })
  const [gone, tried, live] = await database()
    .insert(featureFlags)
    .values([flag('old', true), flag('kept', true), flag('live', false)])
    .returning({ id: featureFlags.id })
  await overwriteFlag(tried!.id, { key: `kept:deleted:${tried!.id}` })
  await experiment(tenant, tried!.id)
  return { tenant, gone: gone!.id, tried: tried!.id, live: live!.id }
}

/** What both were told, and what every flag is then. Ids differ from scene to scene. */
async function outcome(scene: Scene, statuses: readonly [number, number]): Promise<string> {
  const rows = await database()
    .select()
    .from(featureFlags)
    .where(eq(featureFlags.projectId, scene.tenant.projectId))
    .orderBy(featureFlags.id)
  const names = new Map([
    [scene.gone, 'gone'],
    [scene.tried, 'tried'],
    [scene.live, 'live'],
  ])
  const flags = rows.map(({ id, key, name, deleted, version }) =>
    [names.get(id) ?? name, key.replace(String(id), 'id'), deleted ? 'deleted' : 'live', version].join(' '),
  )
  return JSON.stringify([statuses, flags.sort()])
}

/** Does the second just before the n-th database call of the first. Null when the first makes fewer. */
async function interleave(first: Action, second: Action, at: number): Promise<string | null> {
  const scene = await arrange()
  let calls = 0
  let other: number | null = null
  const DB = interceptedD1(env.DB, async ({ run }) => {
    calls += 1
    if (calls === at) other = await second(scene, scene.tenant.send)
    return run()
  })
  const overtaken = createHarness({
    clock: scene.tenant.clock,
    bindings: { DB, MAX_FLAGS_PER_PROJECT: MOST },
  })
  const status = await first(scene, overtaken.send)
  return other === null ? null : outcome(scene, [status, other])
}

async function inTurn(first: Action, second: Action): Promise<string> {
  const scene = await arrange()
  const status = await first(scene, scene.tenant.send)
  return outcome(scene, [status, await second(scene, scene.tenant.send)])
}

async function inReverse(first: Action, second: Action): Promise<string> {
  const scene = await arrange()
  const status = await second(scene, scene.tenant.send)
  return outcome(scene, [await first(scene, scene.tenant.send), status])
}

const names = Object.keys(ACTIONS)
// Done by the project object, with a database of its own: no call to interrupt but those of its caller.
const interruptible = names.filter((name) => name !== 'delete in bulk')

describe.each(names)('while another writer can %s', (other) => {
  it.each(interruptible)('%s has the result of one order of both', async (name) => {
    const [first, second] = [ACTIONS[name]!, ACTIONS[other]!]
    const orders = [await inTurn(first, second), await inReverse(first, second)]
    let seen = 0
    for (let at = 1; ; at += 1) {
      const result = await interleave(first, second, at)
      if (result === null) break
      expect(orders).toContain(result)
      seen += 1
    }
    expect(seen).toBeGreaterThanOrEqual(3)
  })
})
