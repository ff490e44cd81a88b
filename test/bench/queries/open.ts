// Starts the bench's databases behind a Worker in workerd, without the development proxy.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { VariableType } from '../../../src/endpoints/query/query-types'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { seedPlannerStats } from '../../../src/storage/planner-stats'
import { readModules } from '../../../src/cli/serve/runtime'
import { type Data, databaseFolder, load } from './load'
import type { Done, Task } from './worker'

const ROOT = join(import.meta.dirname, '../../..')

export interface Bench {
  /** The shard that has the events. */
  events: D1Database
  compile(hogql: string, variables?: Readonly<Record<string, VariableType>>): Promise<CompiledQuery>
  run(task: Exclude<Task, { do: 'compile' }>): Promise<Done>
  close(): Promise<void>
}

/** Starts the Worker, and fills its databases where they are empty. */
export async function openBench(data: Data = {}): Promise<Bench> {
  const bundle = mkdtempSync(join(tmpdir(), 'halyard-'))
  execFileSync(
    join(ROOT, 'node_modules/.bin/wrangler'),
    ['deploy', '--dry-run', '--outdir', bundle, '--config', join(import.meta.dirname, 'wrangler.toml')],
    { cwd: ROOT, stdio: 'pipe', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  )
  const { folder, isLoaded } = await databaseFolder(data)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: readModules(bundle, 'worker.js'),
      modulesRoot: bundle,
      compatibilityDate: '2026-07-30',
      compatibilityFlags: ['nodejs_compat'],
      port: 0,
      d1Databases: { DB: 'bench', EVENTS: 'bench-events' },
      resourcePersistencePath: folder,
    }),
  )
  const url = await miniflare.ready
  const [main, events] = (await Promise.all([
    miniflare.getD1Database('DB'),
    miniflare.getD1Database('EVENTS'),
  ])) as unknown as [D1Database, D1Database]
  if (!isLoaded) await load({ main, events }, folder, data)
  // The daily trigger does this, too.
  await seedPlannerStats(events)

  async function ask<TestResponse>(task: Task): Promise<TestResponse> {
    const send = () => fetch(url, { method: 'POST', body: JSON.stringify(task) })
    // Between long runs a connection is closed, at times just when it is used again.
    const response = await send().catch(send)
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as TestResponse
  }

  return {
    events,
    compile: (hogql, variables) => ask<CompiledQuery>({ do: 'compile', hogql, variables }),
    run: (task) => ask<Done>(task),
    async close() {
      await miniflare.dispose()
      rmSync(bundle, { recursive: true })
    },
  }
}
