// A project of the served Worker, and calls of its API.
import { inject } from 'vitest'

export type Json = Record<string, unknown>

export interface ServedProject {
  url: string
  id: number
  token: string
  key: string
  call<T = Json>(method: string, path: string, body?: unknown): Promise<T>
  /** Sends events, and waits until queries see them. */
  capture(events: readonly Json[]): Promise<void>
  rows(query: string): Promise<unknown[][]>
  list<T = Json>(path: string): Promise<T[]>
  /** Reads from its organization. */
  organization<T = Json>(path: string): Promise<T>
}

/** A new project of the served Worker. */
export async function serveProject(name: string): Promise<ServedProject> {
  const { url, personalApiKey: key } = inject('served')
  const response = await fetch(`${url}/api/projects/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (!response.ok) throw new Error(await response.text())
  const { id, api_token: token } = (await response.json()) as { id: number; api_token: string }
  return projectAt({ url, id, token, key })
}

/** A project as it is. */
export function projectAt(at: Pick<ServedProject, 'url' | 'id' | 'token' | 'key'>): ServedProject {
  const { url, id, token, key } = at
  const call: ServedProject['call'] = async (method, path, body) => {
    const answer = await fetch(`${url}/api/projects/${id}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as never
  }
  return {
    ...at,
    call,
    async capture(batch) {
      const answer = await fetch(`${url}/batch/`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Prefer: 'wait=10' },
        body: JSON.stringify({ api_key: token, batch }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    rows: async (query) =>
      (await call<{ results: unknown[][] }>('POST', 'query/', { query: { kind: 'HogQLQuery', query } }))
        .results,
    organization: async (path) => {
      const { organization } = await call<{ organization: string }>('GET', '')
      return call('GET', `../../organizations/${organization}/${path}`)
    },
    list: async (path) => (await call<{ results: never[] }>('GET', path)).results,
  }
}
