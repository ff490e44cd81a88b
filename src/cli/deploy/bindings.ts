// What the code needs of a configuration, by its names there.
import { SHARD_BINDING } from '../../storage/shards'
import type { MigrationsFolder } from '../migrations'

export const CONFIG_FILE = 'wrangler.toml'

/** The main database. */
export const DATABASE = 'DB'
/** The first analytics shard. */
export const FIRST_SHARD = 'EVENTS'
export const NAMESPACE = 'SNAPSHOTS'

export const isShard = (binding: string): boolean => SHARD_BINDING.test(binding)

/** Whether a binding is the main database or a shard. */
export const isDatabase = (binding: string): boolean => binding === DATABASE || isShard(binding)

/** The migrations of a database. */
export const migrationsFolderOf = (binding: string): MigrationsFolder =>
  binding === DATABASE ? 'main' : 'events'
