// One engine for all tests here, behind HTTP.
import type { TestProject } from 'vitest/node'
import { prepareWorker } from '../../support/server/served-worker'
import { startFaultyProxy } from './faulty-proxy'
import { PASSWORD, startClickhouse, USER } from './server'

declare module 'vitest' {
  interface ProvidedContext {
    clickhouse: { CLICKHOUSE_URL: string; CLICKHOUSE_USER: string; CLICKHOUSE_PASSWORD: string }
    /** URL of a proxy in front of it that fails as it is told. */
    faultyClickhouse: string
  }
}

export default async function serveEngine(project: TestProject) {
  await prepareWorker()
  const { url, stop } = await startClickhouse()
  project.provide('clickhouse', {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: USER,
    CLICKHOUSE_PASSWORD: PASSWORD,
  })
  const proxy = await startFaultyProxy(url)
  project.provide('faultyClickhouse', proxy.url)
  return async () => {
    await proxy.stop()
    await stop()
  }
}
