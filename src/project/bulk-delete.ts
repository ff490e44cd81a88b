// Bulk deletes that survive the death of their object: what is left to do lies in its storage, and an alarm comes back for it.
import { type Ids, systemClock } from '../clock'
import { deleteChunk, type Deleter, type Doomed, selectWritten } from '../flags/bulk/delete-chunk'
import { type Deletion, type DeletionPlan, planDeletion, type Refusal } from '../flags/bulk/plan-delete'
import type { BulkSelection } from '../flags/bulk/selection'
import { readTargets } from '../flags/bulk/targets'
import type { Database } from '../storage/database'
import { retryOnConflict } from '../storage/retry-on-conflict'
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

/** An unfinished job whose chunks are all written now. */
export interface Resumed {
  projectId: number
  now: string
  /** Flags that had to stay after all, because of what others wrote in the meantime. */
  errors: Refusal[]
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
    const { projectId, userId, selection, now } = request
    const plan = planDeletion(selection, await readTargets(db, projectId, selection, new Date(now)))
    if (plan.doomed.length === 0) return { deleted: [], errors: plan.errors }
    const job = { deleter: { projectId, userId, at: stored(new Date(now)) }, now }
    await this.#store(job, plan)
    const late = (await this.resume(db))?.errors ?? []
    const kept = new Set(late.map(({ id }) => id))
    return {
      deleted: plan.deleted.filter(({ id }) => !kept.has(id)),
      errors: [...plan.errors, ...late],
    }
  }

  /** Writes the chunks that are left of an unfinished job. Null when there is none. */
  async resume(db: Database): Promise<Resumed | null> {
    const job = await this.#storage.get<Job>(JOB)
    if (!job) return null
    const errors: Refusal[] = []
    let isStale = false
    await retryOnConflict(async () => {
      if (isStale) errors.push(...(await this.#decideAnew(db, job)))
      isStale = true
      await this.#writeChunks(db, job.deleter)
    })
    return { projectId: job.deleter.projectId, now: job.now, errors }
  }

  async #writeChunks(db: Database, deleter: Deleter): Promise<void> {
    for (;;) {
      const [entry] = await this.#storage.list<Doomed[]>({ prefix: CHUNKS, limit: 1 })
      if (!entry) return
      const [key, chunk] = entry
      await runBatch(db, deleteChunk(db, deleter, chunk))
      await this.#storage.delete(key)
    }
  }

  /** What is left was decided on a state that is gone: some of it may be written, and some may have to stay. Returns what stays. */
  async #decideAnew(db: Database, job: Job): Promise<Refusal[]> {
    const chunks = await this.#storage.list<Doomed[]>({ prefix: CHUNKS })
    const left = [...chunks.values()].flat()
    const written = new Set((await selectWritten(db, left)).map(({ entryId }) => entryId))
    const ids = left.filter(({ entryId }) => !written.has(entryId)).map(({ id }) => id)
    const selection: BulkSelection = { kind: 'ids', ids, invalid: [] }
    const now = new Date(job.now)
    const plan = planDeletion(selection, await readTargets(db, job.deleter.projectId, selection, now))
    await this.#store(job, plan, [...chunks.keys()])
    return plan.errors
  }

  /** Whether a job is left to finish. */
  async isPending(): Promise<boolean> {
    return (await this.#storage.get(JOB)) !== undefined
  }

  /** Forgets the job: all of it is written, and what it changed is published. The alarm may be others' too, and finds nothing to do here. */
  async complete(): Promise<void> {
    await this.#storage.delete(JOB)
  }

  /**
   * Notes a job with its chunks in place of others, all at once: nothing is awaited in between. The alarm is set before the first
   * write: from then on, somebody comes back.
   */
  async #store(job: Job, { doomed }: DeletionPlan, replaced: string[] = []): Promise<void> {
    const now = new Date(job.now)
    const named = doomed.map((each): Doomed => ({ ...each, entryId: this.#ids.uuid(now) }))
    const chunks = Array.from({ length: Math.ceil(named.length / CHUNK) }, (_, index) => [
      chunkKey(index),
      named.slice(index * CHUNK, (index + 1) * CHUNK),
    ])
    await Promise.all([
      ...inBatches(replaced).map((keys) => this.#storage.delete(keys)),
      ...inBatches(chunks).map((entries) => this.#storage.put(Object.fromEntries(entries))),
      this.#storage.put<Job>(JOB, job),
      this.#storage.setAlarm(nextAlarm()),
    ])
  }
}

const nextAlarm = () => systemClock.now().getTime() + ALARM_MS

const inBatches = <T>(members: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(members.length / STORAGE_BATCH) }, (_, index) =>
    members.slice(index * STORAGE_BATCH, (index + 1) * STORAGE_BATCH),
  )
