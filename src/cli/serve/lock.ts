// Locks the local databases: two runtimes on the same files make each other's writes fail.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const LOCK_FILE = '.dev/server.json'

/** The identity of a process. Process ids are reused, so that the start time distinguishes two processes. */
interface ProcessIdentity {
  pid: number
  started: string
}

interface Lock extends ProcessIdentity {
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
 * Takes the lock of the current folder. A lock of a crashed process is replaced.
 * @throws when another process holds it; the message says which one, and its URL
 */
export function acquireLock(command: string, url: string | null = null, file = LOCK_FILE): HeldLock {
  const lock: Lock = { command, url, ...identityOf(process.pid)! }
  const write = (flag: 'w' | 'wx') => writeFileSync(file, JSON.stringify(lock), { flag, mode: 0o600 })
  mkdirSync(dirname(file), { recursive: true })
  for (;;) {
    try {
      write('wx')
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readLock(file)
    if (holder && isRunning(holder)) throw new Error(describeHolder(holder))
    removeStaleLock(file)
  }
  return {
    record(servedUrl) {
      lock.url = servedUrl
      write('w')
    },
    release() {
      if (readLock(file)?.pid === process.pid) rmSync(file, { force: true })
    },
  }
}

/** Removes a lock by moving it first: two commands that find it at the same time do not remove each other's new lock. */
function removeStaleLock(file: string): void {
  const moved = `${file}.${process.pid}`
  try {
    renameSync(file, moved)
  } catch {
    // Another command has removed the file.
    return
  }
  const lock = readLock(moved)
  if (lock && isRunning(lock)) renameSync(moved, file)
  else rmSync(moved)
}

const describeHolder = ({ command, url, pid }: Lock): string =>
  url
    ? `\`${command}\` already serves this folder on ${url} (process ${pid}). Use that server, or stop it first.`
    : `\`${command}\` is preparing the databases of this folder (process ${pid}). Wait until it is ready.`

function readLock(file: string): Lock | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Lock
  } catch {
    return null
  }
}

const isRunning = ({ pid, started }: ProcessIdentity): boolean => identityOf(pid)?.started === started

/** Returns null when there is no such process. */
function identityOf(pid: number): ProcessIdentity | null {
  try {
    const started = process.platform === 'linux' ? startOnLinux(pid) : startFromPs(pid)
    return started ? { pid, started } : null
  } catch {
    return null
  }
}

/**
 * Returns the start of a process in clock ticks since the machine started (proc_pid_stat(5), field 22). The second field is the program's
 * name and may contain spaces.
 */
function startOnLinux(pid: number): string | null {
  const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return state === 'Z' ? null : fields[18]!
}

const startFromPs = (pid: number): string =>
  execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    // Two commands may have another zone and another language.
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
  }).trim()
