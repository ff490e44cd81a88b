// Makes the bench's databases once, and keeps them in a folder that git ignores until their schema or data change.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { EVENTS, loading } from './data'

const ROOT = join(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.bench')

type Name = 'main' | 'events'

/** The content of the databases, which is all events of the bench by default. */
export interface Data {
  /** The number of events. */
  total?: number
}

/**
 * Returns the folder in which Miniflare keeps the databases, and whether it has the data already. Older ones of the same number of events are
 * deleted.
 */
export async function databaseFolder(data: Data): Promise<{ folder: string; isLoaded: boolean }> {
  const statements = [await statementsFor('main', data), await statementsFor('events', data)]
  const size = `${data.total ?? EVENTS}-`
  const hash = createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16)
  const folder = join(CACHE, `${size}${hash}`)
  const isLoaded = existsSync(join(folder, 'loaded'))
  if (!isLoaded) {
    mkdirSync(CACHE, { recursive: true })
    for (const old of readdirSync(CACHE))
      if (old.startsWith(size)) rmSync(join(CACHE, old), { recursive: true })
    mkdirSync(folder)
  }
  return { folder, isLoaded }
}

/** Fills empty databases, and notes in their folder that this is done. */
export async function load(databases: Record<Name, D1Database>, folder: string, data: Data): Promise<void> {
  for (const name of ['main', 'events'] as const) {
    for (const statement of await statementsFor(name, data)) await databases[name].prepare(statement).run()
  }
  writeFileSync(join(folder, 'loaded'), '')
}

const statementsFor = async (name: Name, data: Data) => [
  ...(await readD1Migrations(join(ROOT, 'migrations', name))).flatMap(({ queries }) => queries),
  ...loading(data)[name],
]
