// What a project has published, and keeping it current. Runs inside the project object's queue, so builds never overtake each other.
import { type Snapshot } from '../snapshots/document'
import { selectGeneration } from '../snapshots/generation'
import { buildSnapshot, DOCUMENT_LIFE_S, publishPointer, publishSnapshot } from '../snapshots/publish'
import type { Database } from '../storage/database'

const KEY = 'published'

/** What the object remembers between lives. */
interface Record {
  generation: number
  /** Epoch milliseconds: when the document was laid down. */
  laidAt: number
}

/** What a reader learns: the current generation, and the snapshot itself when it was built just now. */
export interface Published {
  generation: number
  checkedAt: number
  snapshot: Snapshot | null
}

export class Snapshots {
  readonly #storage: DurableObjectStorage
  readonly #kv: KVNamespace

  constructor(storage: DurableObjectStorage, kv: KVNamespace) {
    this.#storage = storage
    this.#kv = kv
  }

  /**
   * Builds the current generation and publishes it. A build that turns out older than what is published is dropped.
   * When KV refuses, the snapshot is still returned, and the next `confirm` tries again: readers are never left with the old one.
   */
  async publish(db: Database, projectId: number, now: number): Promise<Published | null> {
    const snapshot = await buildSnapshot(db, projectId)
    if (!snapshot) return null
    const { generation } = snapshot
    const last = await this.#storage.get<Record>(KEY)
    if (last && last.generation > generation)
      return { generation: last.generation, checkedAt: now, snapshot: null }
    const laid = await succeeds(publishSnapshot(this.#kv, snapshot, now))
    if (laid) await this.#storage.put<Record>(KEY, { generation, laidAt: now })
    return { generation, checkedAt: now, snapshot }
  }

  /** Says again what is current, and publishes only when that is not what was published last. */
  async confirm(db: Database, projectId: number, now: number): Promise<Published | null> {
    const [project] = await selectGeneration(db, projectId)
    if (!project) return null
    const { generation } = project
    const last = await this.#storage.get<Record>(KEY)
    const isDue = !last || last.generation !== generation || now - last.laidAt > (DOCUMENT_LIFE_S / 2) * 1000
    if (isDue) return this.publish(db, projectId, now)
    await succeeds(publishPointer(this.#kv, projectId, { generation, checked_at: now }))
    return { generation, checkedAt: now, snapshot: null }
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
