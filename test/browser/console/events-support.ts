// Events and people in the console: what their tests share.
import { expect, inject } from 'vitest'
import type { Console } from './support'

const ARRIVAL = { timeout: 15_000 }

export type SentEvent = Record<string, unknown>

/** Sends events with the project's token. @returns the status. */
export async function send({ api, projectId }: Console, batch: readonly unknown[]): Promise<number> {
  const { api_token: token } = await api<{ api_token: string }>('GET', `/api/projects/${projectId}/`)
  const response = await fetch(`${inject('served').url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: token, batch }),
  })
  return response.status
}

/** Sends events, and waits until queries see them. */
export async function sendAndWait(console: Console, batch: readonly SentEvent[]): Promise<void> {
  const query = { query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } }
  const count = async () => {
    const path = `/api/projects/${console.projectId}/query/`
    return (await console.api<{ results: number[][] }>('POST', path, query)).results[0]![0]!
  }
  const before = await count()
  expect(await send(console, batch)).toBe(200)
  await expect.poll(count, ARRIVAL).toBe(before + batch.length)
}

/** The time `minutes` ago. */
export const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

export const button = ({ page }: Console, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

export const dialog = ({ page }: Console) => page.getByRole('dialog')
