// wrangler.toml with the ids that are meant on this account. Without ids wrangler looks for a database by name, and makes a new namespace; with
// them it does as it is told, and nothing of an account has to be committed.
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { withFile } from '../leaving'
import { CONFIG_FILE, DATABASE, NAMESPACE } from './bindings'

/** In the project's folder, because paths in it are relative to where it lies. Git ignores it. */
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
  databaseId: string | null
  namespaceId: string | null
}

/** A configuration in which the ids stand that are known, where the environment has its bindings. */
export function pinned(config: Config, environment: string | null, { databaseId, namespaceId }: Ids): Config {
  const copy = structuredClone(config)
  const section = environment ? copy.env![environment]! : copy
  for (const database of section.d1_databases ?? []) {
    if (databaseId && database.binding === DATABASE) database.database_id = databaseId
  }
  for (const namespace of section.kv_namespaces ?? []) {
    if (namespaceId && namespace.binding === NAMESPACE) namespace.id = namespaceId
  }
  return copy
}

/** Runs with the path of a file that holds it. */
export const withPinnedConfig = <T>(
  environment: string | null,
  ids: Ids,
  use: (path: string) => Promise<T>,
): Promise<T> => {
  const { rawConfig } = readRawConfig({ config: CONFIG_FILE })
  return withFile(FILE, JSON.stringify(pinned(rawConfig as Config, environment, ids)), use)
}
