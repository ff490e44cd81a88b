// Locks the local databases: two runtimes on the same files make each other's writes fail. SQLite locks a file, and the operating system ends
// this with the process, also after a crash.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const LOCK_FILE = '.dev/server.lock'
const SQLITE_BUSY = 5

/** What the process that holds a lock leaves beside it for others. */
interface Holder {
  pid: number
  /** The command, such as `npm start`. */
  command: string
  /** The URL, or null before the command serves. */
  url: string | null
}

export interface HeldLock {
  /** Records the URL at which the process serves. */
  record(url: string): void
  release(): void
}

/**
 * Takes the lock of the current folder.
 * @throws when another process holds it; the message says which one, and its URL
 */
export function acquireLock(command: string, url: string | null = null, file = LOCK_FILE): HeldLock {
  mkdirSync(dirname(file), { recursive: true })
  // SQLite does not say which file it cannot create.
  appendFileSync(file, '', { mode: 0o600 })
  const holderFile = file.replace(/lock$/, 'json')
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new Error(describeHolder(readHolder(holderFile)), { cause: error })
  }
  const write = (holder: Omit<Holder, 'pid'>) =>
    writeFileSync(holderFile, JSON.stringify({ ...holder, pid: process.pid }), { mode: 0o600 })
  write({ command, url })
  return {
    record: (servedUrl) => write({ command, url: servedUrl }),
    release() {
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

/** Returns null while the process writes the file. */
function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return null
  }
}

function describeHolder(holder: Holder | null): string {
  if (holder === null) return 'Another command has just begun to use the databases of this folder. Try again.'
  const { command, url, pid } = holder
  return url
    ? `\`${command}\` already serves this folder on ${url} (process ${pid}). Use that server, or stop it first.`
    : `\`${command}\` is preparing the databases of this folder (process ${pid}). Wait until it is ready.`
}
