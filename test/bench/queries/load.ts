// The bench's database: made once, then kept in a folder that git does not see, until its schema or its data are others.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { loading } from './data'

const ROOT = join(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.bench')

/** The folder for Miniflare to keep the database in, and whether it holds the data already. Older ones go. */
export async function databaseFolder(): Promise<{ folder: string; isLoaded: boolean }> {
  const statements = [...(await migrations()), ...loading()]
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

/** Fills an empty database, and notes in its folder that this is done. */
export async function load(database: D1Database, folder: string): Promise<void> {
  for (const statement of [...(await migrations()), ...loading()]) await database.prepare(statement).run()
  writeFileSync(join(folder, 'loaded'), '')
}

const migrations = async () =>
  (await readD1Migrations(join(ROOT, 'migrations'))).flatMap(({ queries }) => queries)
