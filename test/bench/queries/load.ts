// The bench's databases: made once, then kept in a folder that git does not see, until their schema or data change.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { loading } from './data'

const ROOT = join(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.bench')

type Name = 'main' | 'events'

/** The folder for Miniflare to keep the databases in, and whether it holds the data already. Older ones are deleted. */
export async function databaseFolder(): Promise<{ folder: string; isLoaded: boolean }> {
  const statements = [await statementsFor('main'), await statementsFor('events')]
  const folder = join(
    CACHE,
    createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16),
  )
  const isLoaded = existsSync(join(folder, 'loaded'))
  if (!isLoaded) {
    mkdirSync(CACHE, { recursive: true })
    for (const old of readdirSync(CACHE)) rmSync(join(CACHE, old), { recursive: true })
    mkdirSync(folder)
  }
  return { folder, isLoaded }
}

/** Fills empty databases, and notes in their folder that this is done. */
export async function load(databases: Record<Name, D1Database>, folder: string): Promise<void> {
  for (const name of ['main', 'events'] as const) {
    for (const statement of await statementsFor(name)) await databases[name].prepare(statement).run()
  }
  writeFileSync(join(folder, 'loaded'), '')
}

const statementsFor = async (name: Name) => [
  ...(await readD1Migrations(join(ROOT, 'migrations', name))).flatMap(({ queries }) => queries),
  ...loading()[name],
]
