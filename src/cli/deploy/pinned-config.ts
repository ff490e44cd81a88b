// Writes wrangler.toml with the ids that the plan chose on this account. Wrangler could provision resources without ids, but only while
// it uploads: the Worker would run before its databases are migrated, an interrupted first deployment could not be repeated (it creates a
// KV namespace again unless the Worker exists), and dead letter queues would be missing.
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { withTemporaryFile } from '../exit-cleanup'
import { CONFIG_FILE, isDatabase, NAMESPACE } from './bindings'

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
    if (isDatabase(binding) && databases[binding]) database.database_id = databases[binding]
  }
  for (const namespace of section.kv_namespaces ?? []) {
    if (namespaceId && namespace.binding === NAMESPACE) namespace.id = namespaceId
  }
  return copy
}

export const withPinnedConfig = <T>(
  environment: string | null,
  ids: Ids,
  use: (path: string) => Promise<T>,
): Promise<T> => {
  const { rawConfig } = readRawConfig({ config: CONFIG_FILE })
  return withTemporaryFile(FILE, JSON.stringify(pinned(rawConfig as Config, environment, ids)), use)
}
