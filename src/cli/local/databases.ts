// Opens the local databases of wrangler.toml as files, because a runtime takes seconds to start. The lock of the folder keeps the two
// apart.
import { createHash, createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Row } from '../../storage/backup/schema'
import type { SqlDatabase } from '../sql-database'
import { CREATE_MIGRATIONS_TABLE } from '../migrations'
import { PERSISTENCE, readWorker, STATE } from './worker-options'

/** The Durable Object class that serves D1 locally. Its name is part of the names of the files. */
const CLASS = 'miniflare-D1DatabaseObject'

export interface LocalDatabase extends SqlDatabase {
  close(): void
}

export interface LocalDatabases {
  /** The main database, then the shards. */
  databases: LocalDatabase[]
  /** The values of `[vars]` and `.dev.vars`. */
  vars: Readonly<Record<string, unknown>>
}

/** Opens the databases while `use` runs, and creates those that do not exist. */
export async function withLocalDatabases<T>(use: (local: LocalDatabases) => Promise<T>): Promise<T> {
  const { bindings, d1Databases } = (await readWorker()).options
  const open: LocalDatabase[] = []
  try {
    for (const [binding, { id }] of Object.entries(d1Databases)) {
      open.push(openLocalDatabase(binding, fileOf(id)))
    }
    open.sort((a, b) => a.binding.localeCompare(b.binding, 'en', { numeric: true }))
    return await use({ databases: open, vars: bindings })
  } finally {
    for (const { close } of open) close()
  }
}

function openLocalDatabase(binding: string, file: string): LocalDatabase {
  const named = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw isDamage(error) ? new Error(damaged(binding, file, error.message), { cause: error }) : error
    }
  }
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  named(() => database.exec('PRAGMA journal_mode = WAL'))
  const transaction = <T>(work: () => T): T =>
    named(() => {
      database.exec('BEGIN')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK')
      }
    })
  return {
    binding,
    query: async (sql, params = []) => named(() => database.prepare(sql).all(...params) as Row[]),
    execute: async (statements) =>
      transaction(() => statements.map((sql) => database.prepare(sql).all()).at(-1) ?? []) as Row[],
    async migrate(migrations) {
      database.exec(CREATE_MIGRATIONS_TABLE)
      for (const { file: name, sql } of migrations) {
        transaction(() => {
          database.exec(sql)
          database.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').run(name)
        })
      }
    },
    close: () => database.close(),
  }
}

/** Returns the file of a Durable Object. workerd names it by the class and a hash of the object's name, keyed with the class. */
function fileOf(id: string): string {
  const key = createHash('sha256').update(CLASS).digest()
  const mac = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = mac(id)
  return join(PERSISTENCE, 'd1', CLASS, `${Buffer.concat([name, mac(name)]).toString('hex')}.sqlite`)
}

/** Returns whether an error is SQLITE_CORRUPT or SQLITE_NOTADB. */
const isDamage = (error: unknown): error is Error =>
  [11, 26].includes((error as { errcode?: number }).errcode ?? 0)

const damaged = (binding: string, file: string, reason: string) =>
  `The local database ${binding} is damaged: ${reason} (${file}).\n` +
  'Delete the local databases, with the flags, accounts and events in them, and run the command again:\n\n' +
  `  rm -r ${STATE}\n`
