// Bulk deletes that survive the death of their object: what is left to do lies in its storage, and an alarm comes back for it.
import { type Ids, systemClock } from '../clock'
import { deleteChunk, type Deleter, type Doomed } from '../flags/bulk/delete-chunk'
import { type Deletion, planDeletion, type Refusal } from '../flags/bulk/plan-delete'
import type { BulkSelection } from '../flags/bulk/selection'
import { readTargets } from '../flags/bulk/targets'
import type { Database } from '../storage/database'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'

/** Flags a batch. */
const CHUNK = 500
/** Keys that storage takes at once. */
const STORAGE_BATCH = 128
const ALARM_MS = 30_000

const JOB = 'bulk-delete'
const CHUNKS = `${JOB}:`
const chunkKey = (index: number) => CHUNKS + String(index).padStart(8, '0')

export interface BulkDeleteRequest {
  projectId: number
  userId: number | null
  selection: BulkSelection
  /** ISO 8601: the caller's clock. */
  now: string
}

export interface BulkDeleteResult {
  deleted: Deletion[]
  errors: Refusal[]
}

/** What the object has to know to go on. Its chunks lie beside it; each is removed when it is written. */
interface Job {
  deleter: Deleter
  now: string
}

export class BulkDeleteJobs {
  readonly #storage: DurableObjectStorage
  readonly #ids: Ids

  constructor(storage: DurableObjectStorage, ids: Ids) {
    this.#storage = storage
    this.#ids = ids
  }

  /**
   * Deletes what the request picks. Whatever an earlier life left behind has to be finished before.
   * @throws what D1 throws; what is left is then finished by the alarm.
   */
  async run(db: Database, request: BulkDeleteRequest): Promise<BulkDeleteResult> {
    const now = new Date(request.now)
    const { projectId, userId, selection } = request
    const plan = planDeletion(selection, await readTargets(db, projectId, selection, now))
    const renamed = new Set(plan.renamed)
    const doomed = plan.deleted.map(({ id, key }): Doomed => ({
      id,
      key,
      renamed: renamed.has(id),
      entryId: this.#ids.uuid(now),
    }))
    if (doomed.length > 0) {
      await this.#store({ deleter: { projectId, userId, at: stored(now) }, now: request.now }, doomed)
      await this.resume(db)
    }
    return { deleted: plan.deleted, errors: plan.errors }
  }

  /** Writes the chunks that are left of an unfinished job. Says which project it is about; null when there is none. */
  async resume(db: Database): Promise<{ projectId: number; now: string } | null> {
    const job = await this.#storage.get<Job>(JOB)
    if (!job) return null
    for (;;) {
      const [entry] = await this.#storage.list<Doomed[]>({ prefix: CHUNKS, limit: 1 })
      if (!entry) break
      const [key, chunk] = entry
      await runBatch(db, deleteChunk(db, job.deleter, chunk))
      await this.#storage.delete(key)
    }
    return { projectId: job.deleter.projectId, now: job.now }
  }

  /** Forgets the job: all of it is written, and what it changed is published. */
  async complete(): Promise<void> {
    await this.#storage.delete(JOB)
    await this.#storage.deleteAlarm()
  }

  /** The alarm is set before the first write: from then on, somebody comes back. */
  async #store(job: Job, doomed: readonly Doomed[]): Promise<void> {
    const chunks = Array.from({ length: Math.ceil(doomed.length / CHUNK) }, (_, index) => [
      chunkKey(index),
      doomed.slice(index * CHUNK, (index + 1) * CHUNK),
    ])
    await this.#storage.setAlarm(systemClock.now().getTime() + ALARM_MS)
    for (let at = 0; at < chunks.length; at += STORAGE_BATCH) {
      await this.#storage.put(Object.fromEntries(chunks.slice(at, at + STORAGE_BATCH)))
    }
    await this.#storage.put<Job>(JOB, job)
  }
}
