// Warnings about rejected events. They are in the object's storage, so that a flood of invalid events writes to no database.
import { addWarnings, type CaptureWarning, WARNING_DAYS, warningKey } from '../analytics/capture/warnings'

const PREFIX = 'warning:'

/** The most characters of a key. */
const MAX_KEY = 500

const keyOf = (warning: CaptureWarning): string => (PREFIX + warningKey(warning)).slice(0, MAX_KEY)

export class WarningLog {
  constructor(private readonly storage: DurableObjectStorage) {}

  /** Adds up warnings of the same reason, and deletes those above the limit, oldest first. */
  async add(added: readonly CaptureWarning[]): Promise<void> {
    const stored = await this.storage.list<CaptureWarning>({ prefix: PREFIX })
    const known = [...stored.values()].sort((a, b) => a.lastSeen.localeCompare(b.lastSeen))
    const kept = new Map(addWarnings(known, added).map((warning) => [keyOf(warning), warning]))
    const changed = new Set(added.map(keyOf))
    await Promise.all([
      this.storage.put(Object.fromEntries([...kept].filter(([key]) => changed.has(key)))),
      this.storage.delete([...stored.keys()].filter((key) => !kept.has(key))),
    ])
  }

  /**
   * Returns the warnings that have not expired, those seen last first.
   * @param now epoch milliseconds
   */
  async list(now: number): Promise<CaptureWarning[]> {
    const oldest = new Date(now - WARNING_DAYS * 86_400_000).toISOString()
    const stored = await this.storage.list<CaptureWarning>({ prefix: PREFIX })
    const expired = [...stored].filter(([, { lastSeen }]) => lastSeen < oldest).map(([key]) => key)
    await this.storage.delete(expired)
    return [...stored.values()]
      .filter(({ lastSeen }) => lastSeen >= oldest)
      .sort((a, b) => b.lastSeen.localeCompare(a.lastSeen))
  }
}
