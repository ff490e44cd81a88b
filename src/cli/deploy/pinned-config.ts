// wrangler.toml with the ids that are meant on this account. Without ids wrangler looks for a database by name, and makes a new namespace; with
// them it does as it is told, and nothing of an account has to be committed.
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { withFile } from '../leaving'
import { CONFIG_FILE, DATABASE, NAMESPACE } from './wanted'

/** In the project's folder, because paths in it are relative to where it lies. Git ignores it. */
const FILE = `.wrangler.${process.pid}.json`

interface Section {
  d1_databases?: { binding: string; database_id?: string }[]
  kv_namespaces?: { binding: string; id?: string }[]
}

export interface Ids {
  databaseId: string | null
  namespaceId: string | null
}

/** Runs with the path of a configuration in which the ids stand that are known. */
export function withPinnedConfig<T>(
  environment: string | null,
  { databaseId, namespaceId }: Ids,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const config = structuredClone(readRawConfig({ config: CONFIG_FILE }).rawConfig)
  const section = (environment ? config.env?.[environment] : config) as Section
  for (const database of section.d1_databases ?? []) {
    if (databaseId && database.binding === DATABASE) database.database_id = databaseId
  }
  for (const namespace of section.kv_namespaces ?? []) {
    if (namespaceId && namespace.binding === NAMESPACE) namespace.id = namespaceId
  }
  return withFile(FILE, JSON.stringify(config), use)
}
