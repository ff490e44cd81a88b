// The format of a backup, in a folder or in a bucket: compressed JSON lines, and a manifest, which is written last.

/** Increment this when a restore has to read something differently. */
export const FORMAT = 1

export const MANIFEST_FILE = 'manifest.json'

export interface BackupPart {
  /** The path within the backup's folder. */
  file: string
  rows: number
  /** The size of the file. */
  bytes: number
  sha256: string
}

export interface BackedUpTable {
  name: string
  /** The order of the values in a line. */
  columns: string[]
  rows: number
  parts: BackupPart[]
}

export interface BackedUpDatabase {
  binding: string
  /** Files of the migrations that were applied, in their order. */
  migrations: string[]
  /** Tables in the order in which they are filled. */
  tables: BackedUpTable[]
  /** The last id that was given, by table, also when its row was deleted. */
  sequences: Record<string, number>
}

export interface Manifest {
  format: typeof FORMAT
  /** A UUID: an interrupted restore is continued from the same backup only. */
  id: string
  startedAt: string
  finishedAt: string
  /** The main database, then the shards. */
  databases: BackedUpDatabase[]
}
