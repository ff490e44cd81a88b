// When the scheduled changes of a project are due, in the object's storage: an alarm runs them. D1 has the changes themselves.
import type { FlagWrite } from '../flags/write/write-types'
import { consoleLog, describeError } from '../http/log/request-log'
import type { Database } from '../storage/database'

const KEY = 'scheduled-changes'
/** Delay after a crash. */
const RETRY_MS = 30_000

interface Wake {
  projectId: number
  /** Epoch milliseconds. */
  at: number
}

interface RunOptions {
  db: Database
  write(write: FlagWrite): Promise<unknown>
  maxFlags: number
}

export class ScheduledRuns {
  /** The earliest time that was added since the last run began. */
  #added = Infinity

  constructor(private readonly storage: DurableObjectStorage) {}

  /** Adds a time. The caller sets the alarm. */
  async add(projectId: number, at: number): Promise<void> {
    this.#added = Math.min(this.#added, at)
    const wake = await this.storage.get<Wake>(KEY)
    if (!wake || wake.at > at) await this.storage.put<Wake>(KEY, { projectId, at })
  }

  /** When changes are due next, in epoch milliseconds; null for never. */
  async nextAt(): Promise<number | null> {
    return (await this.storage.get<Wake>(KEY))?.at ?? null
  }

  /** Runs due changes. Never throws: when D1 fails, the next attempt is a little later. */
  async run({ db, write, maxFlags }: RunOptions, now: Date): Promise<void> {
    const wake = await this.storage.get<Wake>(KEY)
    if (!wake || wake.at > now.getTime()) return
    const { projectId } = wake
    this.#added = Infinity
    const { runDueChanges } = await import('../flags/scheduled/run-changes')
    const deps = { db, write, maxFlags, log: consoleLog }
    const { nextAt, hasCrashed } = await runDueChanges(deps, projectId, now).catch((error: unknown) => {
      consoleLog({ level: 'error', message: 'scheduled changes failed', error: describeError(error) })
      return { nextAt: wake.at, hasCrashed: true }
    })
    const earliest = hasCrashed ? now.getTime() + RETRY_MS : 0
    const at = Math.min(Math.max(nextAt ?? Infinity, earliest), this.#added)
    if (at === Infinity) await this.storage.delete(KEY)
    else await this.storage.put<Wake>(KEY, { projectId, at })
  }
}
