// One engine for all tests here, behind HTTP; each test takes a project of its own in it.
import type { TestProject } from 'vitest/node'
import { PASSWORD, startClickhouse, USER } from './server'

declare module 'vitest' {
  interface ProvidedContext {
    clickhouse: {
      CLICKHOUSE_URL: string
      CLICKHOUSE_USER: string
      CLICKHOUSE_PASSWORD: string
      CLICKHOUSE_DATABASE: string
    }
  }
}

export default async function serveEngine(project: TestProject) {
  const { url, stop } = await startClickhouse()
  project.provide('clickhouse', {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: USER,
    CLICKHOUSE_PASSWORD: PASSWORD,
    CLICKHOUSE_DATABASE: 'halyard',
  })
  return stop
}
