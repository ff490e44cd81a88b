// What the code needs of a configuration, by its names there.

export const CONFIG_FILE = 'wrangler.toml'

/** The bindings of storage. */
export const DATABASE = 'DB'
export const NAMESPACE = 'SNAPSHOTS'
