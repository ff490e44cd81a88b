// One engine for all tests here, behind HTTP.
import type { TestProject } from 'vitest/node'
import { PASSWORD, startClickhouse, USER } from './server'

declare module 'vitest' {
  interface ProvidedContext {
    clickhouse: { CLICKHOUSE_URL: string; CLICKHOUSE_USER: string; CLICKHOUSE_PASSWORD: string }
  }
}

export default async function serveEngine(project: TestProject) {
  const { url, stop } = await startClickhouse()
  project.provide('clickhouse', {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: USER,
    CLICKHOUSE_PASSWORD: PASSWORD,
  })
  return stop
}
