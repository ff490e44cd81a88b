// Saved queries: created, run, materialized and back, deleted. One writer an endpoint.
import type { Credentials } from '../../src/cli/local/credentials'
import type { Client } from './client'
import type { Random } from './random'

const MAX_ENDPOINTS = 6

export interface QueryWriter {
  /** By name: whether it is to be materialized. */
  endpoints: ReadonlyMap<string, boolean>
  step(): Promise<void>
}

export function createQueryWriter(
  client: Client,
  { project_id: projectId, personal_api_key: key }: Credentials,
  random: Random,
): QueryWriter {
  const endpoints = new Map<string, boolean>()
  const headers = { Authorization: `Bearer ${key}` }
  const path = (rest = '') => `/api/projects/${projectId}/endpoints/${rest}${rest === '' ? '' : '/'}`
  let count = 0
  const QUERIES = [
    'SELECT event, count() AS n FROM events GROUP BY event ORDER BY event',
    'SELECT properties.plan AS plan, count(DISTINCT distinct_id) AS people FROM events GROUP BY plan ORDER BY plan',
  ]

  /** The endpoint as it is stored; null when there is none. */
  async function stored(name: string): Promise<{ is_materialized: boolean } | null> {
    const { status, body } = await client.insist('GET', path(name), { headers })
    return status === 200 ? body : null
  }

  async function create(): Promise<void> {
    const name = `query-${(count += 1)}`
    const body = { name, query: { kind: 'HogQLQuery', query: random.pick(QUERIES) } }
    const response = await client.write('POST', path(), { body, headers })
    if (response ? response.status === 201 : await stored(name)) endpoints.set(name, false)
  }

  async function materialize(name: string, wanted: boolean): Promise<void> {
    const response = await client.write('PATCH', path(name), { body: { is_materialized: wanted }, headers })
    if (response?.status === 200) endpoints.set(name, wanted)
    else if (!response) endpoints.set(name, (await stored(name))?.is_materialized ?? false)
  }

  async function remove(name: string): Promise<void> {
    const response = await client.write('DELETE', path(name), { headers })
    if (response ? response.status === 204 : !(await stored(name))) endpoints.delete(name)
  }

  async function run(name: string): Promise<void> {
    const { status, body } = await client.send('POST', path(`${name}/run`), { body: {}, headers })
    if (status === 200 && !Array.isArray(body.results)) client.violate(`run of ${name} has no results`)
    if (status >= 400 && status < 500)
      client.violate(`run of ${name}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
  }

  return {
    endpoints,
    async step() {
      const names = [...endpoints.keys()]
      const roll = random.next()
      if (names.length === 0 || (roll < 0.1 && names.length < MAX_ENDPOINTS)) return create()
      const name = random.pick(names)
      if (roll < 0.2) return materialize(name, !endpoints.get(name))
      if (roll < 0.24) return remove(name)
      return run(name)
    },
  }
}
