// A separate project for a run: everything that the checks write is deleted with it, and no project in use is changed.
import { randomBytes } from 'node:crypto'
import { Failure } from './outcome'
import type { Service } from './service'

/** Matches the names of these projects. Nothing else is ever deleted. */
const NAME = /^halyard-verify-[0-9a-f]{16}$/

export interface TemporaryProject {
  id: number
  token: string
  /** @param path below the project */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /**
   * Creates an enabled flag for everyone.
   * @param fields further fields of the flag
   */
  createFlag(key: string, fields?: object): Promise<Flag>
  /** Returns the response of `/flags` for a person. */
  evaluate(distinctId?: string): Promise<Evaluation>
  /** Returns the rows of a query. */
  query(text: string): Promise<unknown[][]>
  capture(events: readonly object[]): Promise<void>
}

export interface Flag {
  id: number
  key: string
  version: number
  active: boolean
  created_at: string
}

export interface Evaluation {
  flags: Readonly<Record<string, { enabled: boolean; metadata: { version: number } }>>
  /** The age of the definitions in seconds, when they are not confirmed. */
  stale: string | null
}

interface ProjectRecord {
  id: number
  name: string
  api_token: string
}

export async function createProject(service: Service): Promise<TemporaryProject> {
  const name = `halyard-verify-${randomBytes(8).toString('hex')}`
  const { id, api_token: token } = await service.call<ProjectRecord>('POST', '/api/projects/', { name })
  const call: TemporaryProject['call'] = (method, path, body) =>
    service.call(method, `/api/projects/${id}/${path}`, body)
  return {
    id,
    token,
    call,
    createFlag: (key, fields = {}) =>
      call('POST', 'feature_flags/', { key, filters: { groups: [{ rollout_percentage: 100 }] }, ...fields }),
    async evaluate(distinctId = 'halyard-verify') {
      const body = { token, distinct_id: distinctId, geoip_disable: true }
      const answer = await service.send('POST', '/flags/?v=2', { body })
      const { flags } = answer.json<{ flags?: Evaluation['flags'] }>()
      if (answer.status !== 200 || !flags)
        throw new Failure(`POST /flags/ answered ${answer.status}: ${answer.text}`)
      return { flags, stale: answer.headers.get('X-Stale-Seconds') }
    },
    async query(text) {
      const query = { kind: 'HogQLQuery', query: text }
      return (await call<{ results: unknown[][] }>('POST', 'query/', { query })).results
    },
    async capture(batch) {
      const answer = await service.send('POST', '/batch/', { body: { api_key: token, batch } })
      if (answer.status !== 200) throw new Failure(`POST /batch/ answered ${answer.status}: ${answer.text}`)
    },
  }
}

/**
 * Deletes the projects of this and of earlier runs.
 * @returns their number
 */
export async function deleteProjects(service: Service): Promise<number> {
  const found = await findProjects(service)
  for (const { id } of found) {
    const answer = await service.sendWithKey('DELETE', `/api/projects/${id}/`)
    // Another isolate may list a deleted project.
    if (answer.status !== 204 && answer.status !== 404)
      throw new Failure(`DELETE /api/projects/${id}/ answered ${answer.status}: ${answer.text}`)
  }
  return found.length
}

const PAGE = 1_000

async function findProjects(service: Service): Promise<ProjectRecord[]> {
  const found: ProjectRecord[] = []
  for (let offset = 0; ; offset += PAGE) {
    const path = `/api/projects/?limit=${PAGE}&offset=${offset}`
    const { results, next } = await service.call<{ results: ProjectRecord[]; next: string | null }>(
      'GET',
      path,
    )
    found.push(...results.filter(({ name }) => NAME.test(name)))
    if (next === null) return found
  }
}
