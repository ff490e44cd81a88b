// What a backup consists of, in a folder or in a bucket: compressed JSON lines, and a manifest, which is written last.

/** Goes up when a restore has to read something differently. */
export const FORMAT = 1

export const MANIFEST_FILE = 'manifest.json'

export interface BackupPart {
  /** Within the backup's folder. */
  file: string
  rows: number
  /** Size of the file. */
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
  /** In the order in which they are filled. */
  tables: BackedUpTable[]
  /** By table: the last id that was given, also when its row is gone. */
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
