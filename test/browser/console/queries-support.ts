// Saved queries in the console: what their tests share.
import { expect, inject } from 'vitest'
import type { Console } from './support'

export interface Endpoint {
  name: string
  current_version: number
  description: string
  is_active: boolean
  query: { kind: string; query?: string }
  data_freshness_seconds: number
  materialization: { enabled: boolean }
}

export const endpointsPath = ({ projectId }: Console, name = '') =>
  `/api/projects/${projectId}/endpoints/${name === '' ? '' : `${name}/`}`

export const SQL = 'SELECT event, count() AS total FROM events GROUP BY event ORDER BY total DESC, event'

export const hogql = (query: string) => ({ kind: 'HogQLQuery', query })

export const create = (console: Console, name: string, more: object = {}) =>
  console.api<Endpoint>('POST', endpointsPath(console), { name, query: hogql(SQL), ...more })

export const read = (console: Console, name: string) =>
  console.api<Endpoint>('GET', endpointsPath(console, name))

/** Creates a saved query, and opens it to be edited. */
export async function openQuery(console: Console, name: string, more: object = {}): Promise<void> {
  await create(console, name, more)
  await console.visit(`endpoints/${name}?edit=true`)
  await console.page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** Not the text that stands in its place until it is loaded. */
export const editor = ({ page }: Console) =>
  page.getByRole('textbox', { name: 'Query', exact: true }).and(page.locator('.cm-content'))

/** Chromium would keep the style of text that is typed over, which the policy forbids. */
export async function write(console: Console, text: string): Promise<void> {
  await editor(console).focus()
  await console.page.keyboard.press('Control+A')
  await console.page.keyboard.press('Delete')
  await console.page.keyboard.insertText(text)
}

/** Of an insight, whose form hides it. */
export const openJson = ({ page }: Console) => page.getByText('Query as JSON').click()

export const button = ({ page }: Console, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

export const run = async (console: Console) => {
  await button(console, /^Run/).click()
  await console.page.getByRole('region', { name: 'Result' }).waitFor()
  // A run scrolls to its result, and the bar of a phone then covers a part of what is above it, which rules measure.
  await console.page.evaluate('scrollTo(0, 0)')
}

const ARRIVAL = { timeout: 15_000 }

/** Events of ten days: purchases of two plans, and visits. */
export async function capture(console: Console): Promise<void> {
  const { api_token: token } = await console.api<{ api_token: string }>(
    'GET',
    `/api/projects/${console.projectId}/`,
  )
  const batch = Array.from({ length: 40 }, (_, n) => ({
    event: n % 4 === 0 ? 'purchase' : '$pageview',
    distinct_id: `user-${n % 7}`,
    timestamp: new Date(Date.now() - (n % 10) * 86_400_000).toISOString(),
    properties: { plan: n % 8 === 0 ? 'pro' : 'free', amount: n + 0.5, $set: { plan: 'pro' } },
  }))
  const response = await fetch(`${inject('served').url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: token, batch }),
  })
  expect(response.status).toBe(200)
  const query = { query: hogql('SELECT count() FROM events') }
  const count = async () =>
    (await console.api<{ results: number[][] }>('POST', `/api/projects/${console.projectId}/query/`, query))
      .results[0]![0]
  await expect.poll(count, ARRIVAL).toBe(40)
}
