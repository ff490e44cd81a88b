// Two writers of the same flags, in every order that their calls to the database can have: whatever one does between two calls of the other,
// the result is that of doing one after the other.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { featureFlags } from '../../../drizzle'
import { writeElsewhere } from '../../support/faults/flag-writer'
import { interceptedD1 } from '../../support/faults/intercepted-d1'
import { experiment, overwriteFlag } from '../../support/database/rows'
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

/** Writes with this database; returns the status of the response. */
type Action = (scene: Scene, d1: D1Database) => Promise<number>

const create =
  (key: string): Action =>
  ({ tenant }, d1) =>
    writeElsewhere(
      tenant,
      { create: { key, name: `made as ${key}`, _should_create_usage_dashboard: false } },
      { d1, maxFlags: MAX_FLAGS },
    )
const patch =
  (which: 'gone' | 'tried' | 'live', body: object): Action =>
  (scene, d1) =>
    writeElsewhere(scene.tenant, { update: scene[which], with: body }, { d1, maxFlags: MAX_FLAGS })

/** There is room for one live flag more. */
const MAX_FLAGS = 2

const ACTIONS: Record<string, Action> = {
  'create with the key of a deleted flag': create('old'),
  'create with the former key of a deleted flag': create('kept'),
  'rename a deleted flag': patch('gone', { key: 'fresh' }),
  'restore a deleted flag': patch('gone', { deleted: false }),
  'restore a flag under its former key': patch('tried', { deleted: false }),
  'rename a live flag to the key of a deleted one': patch('live', { key: 'old' }),
  'delete in bulk': async ({ tenant, live, gone }) =>
    (await tenant.post(tenant.flags('bulk_delete'), { ids: [live, gone] })).status,
}

const AT = '2026-03-01T00:00:00.000000Z'

async function arrange(): Promise<Scene> {
  const tenant = await createTenant()
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

/** What every flag is. Ids differ from scene to scene. */
async function flagsIn(scene: Scene): Promise<string[]> {
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
  return rows
    .map(({ id, key, name, deleted, version }) =>
      [names.get(id) ?? name, key.replace(String(id), 'id'), deleted ? 'deleted' : 'live', version].join(' '),
    )
    .sort()
}

/** Does the second just before the n-th database call of the first. Null when the first makes fewer. */
async function interleave(first: Action, second: Action, at: number) {
  const scene = await arrange()
  let calls = 0
  let other: number | null = null
  const DB = interceptedD1(env.DB, async ({ run }) => {
    calls += 1
    if (calls === at) other = await second(scene, env.DB)
    return run()
  })
  const status = await first(scene, DB)
  return other === null ? null : { statuses: [status, other], flags: await flagsIn(scene) }
}

/** What doing one after the other comes to, which two tests compare with. */
const done = new Map<string, Promise<{ statuses: [number, number]; flags: string[] }>>()
function inTurn(first: string, second: string) {
  const both = `${first}, then ${second}`
  const work = async () => {
    const scene = await arrange()
    const statuses: [number, number] = [
      await ACTIONS[first]!(scene, env.DB),
      await ACTIONS[second]!(scene, env.DB),
    ]
    return { statuses, flags: await flagsIn(scene) }
  }
  if (!done.has(both)) done.set(both, work())
  return done.get(both)!
}

const names = Object.keys(ACTIONS)
// Done by the living object, with a database of its own.
const interruptible = names.filter((name) => name !== 'delete in bulk')

describe.each(names)('while another writer can %s', (other) => {
  it.each(interruptible)('%s has the result of one order of both', async (name) => {
    const [first, second] = [ACTIONS[name]!, ACTIONS[other]!]
    const reversed = await inTurn(other, name)
    const orders = [await inTurn(name, other), { ...reversed, statuses: reversed.statuses.toReversed() }]
    let seen = 0
    for (let at = 1; ; at += 1) {
      const result = await interleave(first, second, at)
      if (result === null) break
      expect(orders).toContainEqual(result)
      seen += 1
    }
    expect(seen).toBeGreaterThanOrEqual(2)
  })
})
