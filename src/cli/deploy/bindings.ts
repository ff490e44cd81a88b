// Names in wrangler.toml that the code depends on.
import { SHARD_BINDING } from '../../storage/shard-binding'
import type { MigrationsFolder } from '../migrations'

export const CONFIG_FILE = 'wrangler.toml'

/** The main database. */
export const DATABASE = 'DB'
export const NAMESPACE = 'SNAPSHOTS'

export const isShard = (binding: string): boolean => SHARD_BINDING.test(binding)

/** Returns whether a binding is the main database or a shard. */
export const isDatabase = (binding: string): boolean => binding === DATABASE || isShard(binding)

export const migrationsFolderOf = (binding: string): MigrationsFolder =>
  binding === DATABASE ? 'main' : 'events'
