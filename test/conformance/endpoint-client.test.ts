// A client that is generated from the document of one endpoint, and calls it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { generateSource } from 'oazapfts'
import { afterAll, describe, expect, inject, it } from 'vitest'

const { url, projectId, personalApiKey } = inject('served')
const headers = { Authorization: `Bearer ${personalApiKey}` }

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/api/projects/${projectId}/${path}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

const document = (name: string) => call('GET', `endpoints/${name}/openapi.json`)

// Next to this file, so that the client finds its runtime.
const folder = mkdtempSync(join(import.meta.dirname, '.generated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Run = (
  body: unknown,
  options?: { headers: Record<string, string> },
) => Promise<{ status: number; data: unknown }>

/** The functions of a client that is generated from the document of an endpoint. */
async function clientOf(name: string): Promise<Record<string, Run>> {
  const source = join(folder, `${name}.json`)
  writeFileSync(source, JSON.stringify(await document(name)))
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, await generateSource(source, {}))
  return (await import(/* @vite-ignore */ file)) as Record<string, Run>
}

const QUERIES: Record<string, unknown> = {
  plain: { kind: 'HogQLQuery', query: 'SELECT count() AS total FROM events' },
  'with-variables': {
    kind: 'HogQLQuery',
    query: 'SELECT {variables.client_text} AS text, {variables.client_amount} AS amount',
  },
  trend: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview' }],
    breakdownFilter: { breakdowns: [{ property: '$browser', type: 'event' }] },
    properties: [{ key: '$os', type: 'event', operator: 'exact', value: ['Linux'] }],
  },
  lifecycle: { kind: 'LifecycleQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
}

describe('the document of an endpoint', async () => {
  await call('POST', 'insight_variables/', { name: 'Client text', type: 'String', default_value: null })
  await call('POST', 'insight_variables/', { name: 'Client amount', type: 'Number', default_value: 2.5 })
  for (const [name, query] of Object.entries(QUERIES)) await call('POST', 'endpoints/', { name, query })

  it.each(Object.keys(QUERIES))('is valid OpenAPI 3.0: %s', async (name) => {
    const valid = await SwaggerParser.validate((await document(name)) as never)
    expect(valid).toMatchObject({ openapi: '3.0.3', info: { title: name } })
  })

  it('makes a client that runs an endpoint', async () => {
    const { runPlain } = await clientOf('plain')
    expect(await runPlain!({}, { headers })).toMatchObject({
      status: 200,
      data: { results: [[expect.any(Number)]], columns: ['total'], hasMore: false },
    })
  })

  it('makes a client that sends variables', async () => {
    const { runWithVariables } = await clientOf('with-variables')
    expect(await runWithVariables!({ variables: { client_text: "it's" } }, { headers })).toMatchObject({
      status: 200,
      data: { results: [["it's", 2.5]], columns: ['text', 'amount'] },
    })
    expect(
      await runWithVariables!({ variables: { client_text: 'a', client_amount: 1 }, limit: 5 }, { headers }),
    ).toMatchObject({ status: 200, data: { results: [['a', 1]], limit: 5 } })
  })

  it('makes a client that narrows an insight', async () => {
    const { runTrend } = await clientOf('trend')
    const variables = { $browser: 'Firefox', date_from: '-3d' }
    const { status, data } = await runTrend!({ variables }, { headers })
    expect({ status, data }).toMatchObject({ status: 200, data: { results: [], hasMore: false } })
  })

  it('generates a client that gets readable errors', async () => {
    const { runWithVariables } = await clientOf('with-variables')
    expect(await runWithVariables!({ variables: { client_text: 'a', odd: 1 } }, { headers })).toMatchObject({
      status: 400,
    })
    expect(await runWithVariables!({ variables: {} })).toMatchObject({ status: 401 })
  })
})
