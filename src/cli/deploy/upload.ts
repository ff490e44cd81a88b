import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onExit, withTemporaryFile } from '../exit-cleanup'
import { buildConsole } from '../build/console'
import { buildGuides } from '../build/guides'
import { runWrangler } from '../wrangler'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { CONFIG_FILE, NAMESPACE } from './bindings'

/**
 * Builds the guides, the console and the Worker.
 * @returns what wrangler prints about the Worker
 */
export async function build(environment: string | null): Promise<string> {
  await buildGuides()
  await buildConsole()
  return runWrangler(['deploy', '--dry-run', '--minify', ...(environment ? ['--env', environment] : [])])
}

/**
 * Deploys the Worker.
 * @returns its address under workers.dev, if it has one
 */
export async function upload(
  secrets: Readonly<Record<string, string>>,
  { accountId, environment, ids }: { accountId: string; environment: string | null; ids: Ids },
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-deploy-'))
  const remove = onExit(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const record = join(folder, 'wrangler.ndjson')
    const deploy = (more: readonly string[]) =>
      withPinnedConfig(environment, ids, (config) =>
        runWrangler(
          ['deploy', '--minify', ...more, '--config', config, ...(environment ? ['--env', environment] : [])],
          { CLOUDFLARE_ACCOUNT_ID: accountId, WRANGLER_OUTPUT_FILE_PATH: record },
        ),
      )
    // The secrets are passed in a file, because process lists show arguments.
    if (Object.keys(secrets).length === 0) await deploy([])
    else {
      await withTemporaryFile(join(folder, 'secrets.json'), JSON.stringify(secrets), (path) =>
        deploy(['--secrets-file', path]),
      )
    }
    return addressIn(readFileSync(record, 'utf8'))
  } finally {
    remove()
  }
}

/** Returns the address in wrangler's output file, which has JSON lines. */
function addressIn(record: string): string | null {
  const entries = record
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; targets?: string[] })
  const targets = entries.find(({ type }) => type === 'deploy')?.targets ?? []
  return targets.find((target) => /^https:.*\.workers\.dev$/.test(target)) ?? null
}

// Writes wrangler.toml with the ids that the plan chose on this account. Wrangler could provision resources without ids, but only while
// it uploads: the Worker would run before its databases are migrated, an interrupted first deployment could not be repeated (it creates a
// KV namespace again unless the Worker exists), and dead letter queues would be missing.

/** The file is in the project's folder, because paths in it are relative to it. Git ignores it. */
const FILE = `.wrangler.${process.pid}.json`

interface Section {
  d1_databases?: { binding: string; database_id?: string }[]
  kv_namespaces?: { binding: string; id?: string }[]
  [more: string]: unknown
}

export interface Config extends Section {
  env?: Record<string, Section>
}

export interface Ids {
  /** The ids of existing databases, by binding. */
  databases: Record<string, string>
  namespaceId: string | null
}

/** Returns a configuration with the known ids at the bindings of the environment. */
export function pinned(config: Config, environment: string | null, { databases, namespaceId }: Ids): Config {
  const copy = structuredClone(config)
  const section = environment ? copy.env![environment]! : copy
  for (const database of section.d1_databases ?? []) {
    const { binding } = database
    if (databases[binding]) database.database_id = databases[binding]
  }
  for (const namespace of section.kv_namespaces ?? []) {
    if (namespaceId && namespace.binding === NAMESPACE) namespace.id = namespaceId
  }
  return copy
}

const withPinnedConfig = <T>(
  environment: string | null,
  ids: Ids,
  use: (path: string) => Promise<T>,
): Promise<T> => {
  const { rawConfig } = readRawConfig({ config: CONFIG_FILE })
  return withTemporaryFile(FILE, JSON.stringify(pinned(rawConfig as Config, environment, ids)), use)
}
