// A writer of flags, and its model: what each of its flags is, by the writes that were acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '../../src/cli/local/credentials'
import type { Body, Client } from './client'
import type { Random } from './random'

interface ModelFlag {
  id: number
  key: string
  name: string
  active: boolean
  deleted: boolean
  version: number
}

type State = Pick<ModelFlag, 'key' | 'name' | 'active' | 'deleted' | 'version'>

export interface FlagWriter {
  flags: ReadonlyMap<number, ModelFlag>
  step(): Promise<void>
}

const MAX_LIVE = 40
const RACERS = 4

const stateOf = ({ key, name, active, deleted, version }: Body): State => ({
  key,
  name,
  active,
  deleted,
  version,
})
const isSame = (a: State, b: State) => JSON.stringify(stateOf(a)) === JSON.stringify(stateOf(b))

/** @param name goes into keys: no two writers of a project share one. */
export function createFlagWriter(
  client: Client,
  { project_id: projectId, personal_api_key: key }: Credentials,
  name: string,
  random: Random,
): FlagWriter {
  const flags = new Map<number, ModelFlag>()
  const headers = { Authorization: `Bearer ${key}` }
  const path = (rest: string | number = '') =>
    `/api/projects/${projectId}/feature_flags/${rest}${rest === '' ? '' : '/'}`
  let count = 0
  const fresh = () => `${name}-${(count += 1)}`
  const body = (flagKey: string) => ({
    key: flagKey,
    name: flagKey,
    filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    _should_create_usage_dashboard: false,
  })
  const own = (isWanted: (flag: ModelFlag) => boolean) => [...flags.values()].filter(isWanted)
  const live = () => own(({ deleted }) => !deleted)
  const gone = () => own(({ deleted }) => deleted)

  async function stored(id: number): Promise<State | null> {
    const response = await client.insist('GET', path(id), { headers })
    return response.status === 200 ? stateOf(response.body) : null
  }

  /** After a write without a response: it took effect as a whole, or not at all. */
  async function settle(flag: ModelFlag, after: State): Promise<void> {
    await sleep(500)
    const now = await stored(flag.id)
    if (!now || (!isSame(now, flag) && !isSame(now, after))) {
      client.violate(
        `flag ${flag.id} is neither as before ${JSON.stringify(stateOf(flag))} nor after ${JSON.stringify(after)}: ${JSON.stringify(now)}`,
      )
    }
    if (now) Object.assign(flag, now)
  }

  function adopt(made: Body): void {
    flags.set(made.id, { id: made.id, ...stateOf(made) })
  }

  async function findLive(flagKey: string): Promise<Body | undefined> {
    const response = await client.insist('GET', `${path()}?search=${flagKey}&limit=100`, { headers })
    return (response.body.results as Body[]).find((each) => each.key === flagKey)
  }

  async function create(): Promise<void> {
    const former = random.next() < 0.2 ? gone()[0] : undefined
    const flagKey = former?.key ?? fresh()
    const response = await client.write('POST', path(), { body: body(flagKey), headers })
    const made = response ? response.body : await findLive(flagKey)
    if (response && response.status !== 201) return
    if (!made) return
    // The new flag takes the place of the deleted one.
    if (former) {
      flags.delete(former.id)
      if (await stored(former.id)) client.violate(`flag ${former.id} is still there; ${made.id} has its key`)
    }
    adopt(made)
  }

  async function patch(flag: ModelFlag, changes: Partial<State>): Promise<void> {
    const after = { ...stateOf(flag), ...changes, version: flag.version + 1 }
    const response = await client.write('PATCH', path(flag.id), { body: changes, headers })
    if (!response) return settle(flag, after)
    if (response.status !== 200) return
    if (!isSame(response.body, after)) {
      client.violate(
        `PATCH of flag ${flag.id}: ${JSON.stringify(stateOf(response.body))} instead of ${JSON.stringify(after)}`,
      )
    }
    Object.assign(flag, after)
  }

  async function bulkDelete(): Promise<void> {
    const doomed = live().slice(0, random.between(1, 15))
    // Without a response it may still be finished by the alarm: only a repeated one that is answered settles it.
    for (;;) {
      const response = await client.write('POST', path('bulk_delete'), {
        body: { ids: doomed.map(({ id }) => id) },
        headers,
      })
      if (response) break
      await sleep(500)
    }
    for (const flag of doomed) {
      flag.deleted = true
      flag.version += 1
    }
  }

  /** Several writers at once: each acknowledged one is a version. */
  async function race(flag: ModelFlag): Promise<void> {
    const names = Array.from({ length: RACERS }, (_, index) => `${flag.key} of racer ${index}`)
    const responses = await Promise.all(
      names.map((each) => client.write('PATCH', path(flag.id), { body: { name: each }, headers })),
    )
    const acknowledged = responses.filter((response) => response?.status === 200).length
    const unknown = responses.filter((response) => response === null).length
    if (unknown > 0) await sleep(500)
    const now = await stored(flag.id)
    const versions = now ? now.version - flag.version : -1
    if (!now || versions < acknowledged || versions > acknowledged + unknown) {
      client.violate(
        `${acknowledged} of ${RACERS} writers of flag ${flag.id} were acknowledged, and made ${versions} versions`,
      )
    }
    if (now) Object.assign(flag, now)
  }

  async function raceForKey(): Promise<void> {
    const flagKey = fresh()
    const responses = await Promise.all(
      Array.from({ length: RACERS }, () =>
        client.write('POST', path(), { body: body(flagKey), headers }, [400]),
      ),
    )
    const made = responses.filter((response) => response?.status === 201)
    if (made.length > 1 || (made.length === 0 && !responses.includes(null))) {
      client.violate(`${made.length} of ${RACERS} callers created the flag ${flagKey}`)
    }
    const winner = made[0]?.body ?? (await findLive(flagKey))
    if (winner) adopt(winner)
  }

  async function check(flag: ModelFlag): Promise<void> {
    const now = await stored(flag.id)
    if (!now || !isSame(now, flag)) {
      client.violate(`flag ${flag.id} is ${JSON.stringify(now)} instead of ${JSON.stringify(stateOf(flag))}`)
    }
    const version = random.between(1, flag.version)
    const response = await client.insist('GET', path(`${flag.id}/versions/${version}`), { headers })
    if (response.status !== 200 || response.body.version !== version) {
      client.violate(
        `version ${version} of flag ${flag.id}: ${response.status} ${JSON.stringify(response.body).slice(0, 200)}`,
      )
    }
  }

  return {
    flags,
    async step() {
      const [alive, dead] = [live(), gone()]
      const roll = random.next()
      if (alive.length === 0 || (roll < 0.15 && alive.length < MAX_LIVE)) return create()
      const flag = random.pick(alive)
      if (roll < 0.18) return raceForKey()
      if (roll < 0.5) return patch(flag, random.next() < 0.5 ? { name: fresh() } : { active: !flag.active })
      if (roll < 0.55) return patch(flag, { deleted: true })
      if (roll < 0.65 && dead.length > 0) return patch(random.pick(dead), { deleted: false })
      if (roll < 0.7 && alive.length > 15) return bulkDelete()
      if (roll < 0.75) return race(flag)
      return check(random.pick([...alive, ...dead]))
    },
  }
}
