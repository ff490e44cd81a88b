// An owner at work: sign-ins, keys, invites, and static cohorts of a flag that is on for everybody.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '../../src/cli/local/credentials'
import type { Client } from './client'
import type { Random } from './random'

export interface AccountWriter {
  /** Labels of the keys, addresses of the invites, ids of the sessions that are there. */
  keys: ReadonlyMap<string, string>
  invites: ReadonlyMap<string, string>
  sessions: ReadonlyMap<string, Record<string, string>>
  /** By id: how many people each cohort has at least. */
  cohorts: ReadonlyMap<number, number>
  step(): Promise<void>
}

const MAX_KEYS = 5
const MAX_SESSIONS = 4
const MAX_INVITES = 20

/** @param knownPeople how many people of the project are known for sure. */
export function createAccountWriter(
  client: Client,
  tenant: Credentials,
  random: Random,
  knownPeople: () => number,
): AccountWriter {
  const keys = new Map<string, string>()
  const invites = new Map<string, string>()
  const sessions = new Map<string, Record<string, string>>()
  const cohorts = new Map<number, number>()
  const headers = { Authorization: `Bearer ${tenant.personal_api_key}` }
  const flags = `/api/projects/${tenant.project_id}/feature_flags/`
  const invitesPath = '/api/organizations/@current/invites/'
  let flagId = 0
  let count = 0

  async function signIn(): Promise<void> {
    const { email, password } = tenant
    const response = await client.write('POST', '/api/login/', { body: { email, password } })
    if (response?.status !== 200) return
    const cookies = new Map(
      response.headers.getSetCookie().map((line) => line.split(';')[0]!.split('=', 2) as [string, string]),
    )
    const own = {
      Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      'X-CSRFToken': cookies.get('posthog_csrftoken')!,
    }
    const listed = await client.insist('GET', '/api/users/@me/login_sessions/', { headers: own })
    if (listed.status === 200) sessions.set(listed.body[0].id, own)
    else client.violate(`a sign-in was acknowledged, and its session is refused: ${listed.status}`)
  }

  async function signOut(id: string, by: Record<string, string>): Promise<void> {
    // Repeated until it is known: 404 and 401 say that it is done.
    for (;;) {
      const response = await client.write(
        'DELETE',
        `/api/users/@me/login_sessions/${id}/`,
        { headers: by },
        [401, 404],
      )
      if (response) break
      await sleep(500)
    }
    const own = sessions.get(id)!
    sessions.delete(id)
    const { status } = await client.insist('GET', '/api/users/@me/', { headers: own })
    if (status !== 401) client.violate(`a session that was ended still works: ${status}`)
  }

  async function createKey(by: Record<string, string>): Promise<void> {
    const label = `key-${(count += 1)}`
    const body = { label, scopes: ['feature_flag:read'], scoped_teams: [], scoped_organizations: [] }
    const response = await client.write('POST', '/api/personal_api_keys/', { body, headers: by })
    if (response?.status === 201) {
      keys.set(label, response.body.id)
      const used = await client.insist('GET', `${flags}?limit=1`, {
        headers: { Authorization: `Bearer ${response.body.value}` },
      })
      if (used.status !== 200) client.violate(`a key that was just made is refused: ${used.status}`)
    } else if (!response) {
      const listed = await client.insist('GET', '/api/personal_api_keys/', { headers: by })
      const found = (listed.body as { id: string; label: string }[]).find((each) => each.label === label)
      if (found) keys.set(label, found.id)
    }
  }

  async function remove(from: Map<string, string>, name: string, path: string, by: Record<string, string>) {
    for (;;) {
      const response = await client.write('DELETE', `${path}${from.get(name)}/`, { headers: by }, [404])
      if (response) break
      await sleep(500)
    }
    from.delete(name)
  }

  async function invite(by: Record<string, string>): Promise<void> {
    const address = `guest-${(count += 1)}@example.com`
    const response = await client.write('POST', invitesPath, {
      body: { target_email: address, level: 1 },
      headers: by,
    })
    if (response?.status === 201) invites.set(address, response.body.id)
    else if (!response) {
      const listed = await client.insist('GET', `${invitesPath}?limit=100`, { headers: by })
      const found = (listed.body.results as { id: string; target_email: string }[]).find(
        (each) => each.target_email === address,
      )
      if (found) invites.set(address, found.id)
    }
  }

  async function fillCohort(): Promise<void> {
    if (flagId === 0) {
      const body = { key: 'everybody', filters: { groups: [{ properties: [], rollout_percentage: 100 }] } }
      const made = await client.write('POST', flags, { body, headers }, [400])
      if (made?.status !== 201) return
      flagId = made.body.id
    }
    const least = knownPeople()
    const response = await client.write('POST', `${flags}${flagId}/create_static_cohort_for_flag/`, {
      body: {},
      headers,
    })
    if (response?.status === 200) cohorts.set(response.body.cohort.id, least)
  }

  return {
    keys,
    invites,
    sessions,
    cohorts,
    async step() {
      const [id, by] = [...sessions][0] ?? []
      const roll = random.next()
      if (!id || !by || (roll < 0.1 && sessions.size < MAX_SESSIONS)) return signIn()
      if (roll < 0.15 && sessions.size > 1) return signOut([...sessions.keys()].at(-1)!, by)
      if (roll < 0.3 && keys.size < MAX_KEYS) return createKey(by)
      if (roll < 0.4 && keys.size > 0)
        return remove(keys, [...keys.keys()][0]!, '/api/personal_api_keys/', by)
      if (roll < 0.6 && invites.size < MAX_INVITES) return invite(by)
      if (roll < 0.75 && invites.size > 0) return remove(invites, [...invites.keys()][0]!, invitesPath, by)
      if (roll < 0.8) return fillCohort()
      const { status } = await client.insist('GET', '/api/users/@me/', { headers: by })
      if (status !== 200) client.violate(`a session that nobody ended is refused: ${status}`)
    },
  }
}
