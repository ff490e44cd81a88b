// Bulk deletes that survive a restart of their object: its storage has the remaining chunks, and an alarm resumes them.
import { type Ids, systemClock } from '../clock'
import { deleteChunk, type Deleter, type PlannedDeletion, selectWritten } from '../flags/bulk/delete-chunk'
import type { DeletionPlan, DeletionError } from '../flags/bulk/plan-delete'
import type { BulkSelection } from '../flags/bulk/selection'
import type { BulkDeleteRequest, BulkDeleteResult } from '../flags/project-calls'
import type { Database } from '../storage/database'
import { chunksOf } from '../storage/json-parameters'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { runBatch } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'

/** Flags that one batch deletes. */
const CHUNK = 500
/** Keys that one call to the storage takes. */
const STORAGE_BATCH = 128
const ALARM_MS = 30_000
/** A job that still fails at this age is removed, because further retries would fail, too. */
const MAX_AGE_MS = 86_400_000

const JOB = 'bulk-delete'
const CHUNKS = `${JOB}:`
const chunkKey = (index: number) => CHUNKS + String(index).padStart(8, '0')

/** A job as it is stored. Its chunks are stored beside it, and each is removed when it is written. */
interface Job {
  deleter: Deleter
  now: string
  membershipLevel: number
  /** When the job began, by the clock of the object in epoch milliseconds. */
  begunAt: number
  /** The generation on which the remaining chunks are planned. */
  generation: number
}

/** A job whose chunks are all written. */
export interface Finished {
  projectId: number
  now: string
  /** Flags that were not deleted, because they changed after the plan was made. */
  errors: DeletionError[]
}

/**
 * Returns a plan, and the generation that it was made from. The planning is loaded only here, so that isolates which evaluate flags start
 * without it.
 */
async function plannedDeletion(
  db: Database,
  projectId: number,
  selection: BulkSelection,
  now: string,
  membershipLevel: number,
): Promise<DeletionPlan & { generation: number }> {
  const [{ readTargets }, { planDeletion }] = await Promise.all([
    import('../flags/bulk/targets'),
    import('../flags/bulk/plan-delete'),
  ])
  const targets = await readTargets(db, projectId, selection, new Date(now))
  return { ...planDeletion(selection, targets, membershipLevel), generation: targets.generation }
}

export class BulkDeleteJobs {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly ids: Ids,
  ) {}

  /**
   * Deletes flags. Any unfinished job must be finished before.
   * @throws errors of D1; the alarm then finishes the rest
   */
  async run(db: Database, request: BulkDeleteRequest): Promise<BulkDeleteResult> {
    const { projectId, userId, membershipLevel, selection, now } = request
    const plan = await plannedDeletion(db, projectId, selection, now, membershipLevel)
    if (plan.planned.length === 0) return { deleted: [], errors: plan.errors }
    const job: Job = {
      deleter: { projectId, userId, at: toStoredTimestamp(new Date(now)) },
      now,
      membershipLevel,
      begunAt: systemClock.now().getTime(),
      generation: plan.generation,
    }
    await this.#store(job, plan)
    const late = (await this.finish(db))?.errors ?? []
    const kept = new Set(late.map(({ id }) => id))
    return {
      deleted: plan.deleted.filter(({ id }) => !kept.has(id)),
      errors: [...plan.errors, ...late],
    }
  }

  /**
   * Writes the remaining chunks of a job, and plans them again when anything that they depend on has changed. Returns null when there is no
   * job.
   */
  async finish(db: Database): Promise<Finished | null> {
    const job = await this.storage.get<Job>(JOB)
    if (!job) return null
    const errors: DeletionError[] = []
    let isStale = false
    await retryOnConflict(async () => {
      if (isStale) errors.push(...(await this.#replan(db, job)))
      isStale = true
      await this.#writeChunks(db)
    })
    return { projectId: job.deleter.projectId, now: job.now, errors }
  }

  async #writeChunks(db: Database): Promise<void> {
    for (;;) {
      const [entry] = await this.storage.list<PlannedDeletion[]>({ prefix: CHUNKS, limit: 1 })
      if (!entry) return
      const [key, chunk] = entry
      const job = (await this.storage.get<Job>(JOB))!
      const results = await runBatch(db, deleteChunk(db, job.deleter, job.generation, chunk))
      const [begun] = results.at(-1) as { generation: number }[]
      // Nothing is awaited between these two changes, so that the storage makes both or neither.
      await Promise.all([
        this.storage.delete(key),
        this.storage.put<Job>(JOB, { ...job, generation: begun!.generation }),
      ])
    }
  }

  /** Plans the remaining deletions again on the current state. Returns the flags that are not deleted. */
  async #replan(db: Database, job: Job): Promise<DeletionError[]> {
    const chunks = await this.storage.list<PlannedDeletion[]>({ prefix: CHUNKS })
    const left = [...chunks.values()].flat()
    const written = new Set((await selectWritten(db, left)).map(({ entryId }) => entryId))
    const ids = left.filter(({ entryId }) => !written.has(entryId)).map(({ id }) => id)
    const selection: BulkSelection = { kind: 'ids', ids, invalid: [] }
    const { deleter, now, membershipLevel } = job
    const plan = await plannedDeletion(db, deleter.projectId, selection, now, membershipLevel)
    await this.#store(job, plan, [...chunks.keys()])
    return plan.errors
  }

  /** Removes the job and its alarm, after the job was written and published. */
  async complete(): Promise<void> {
    await Promise.all([this.storage.delete(JOB), this.storage.deleteAlarm()])
  }

  /**
   * Removes a job that has failed for a day: the remaining flags are not deleted, and another call can delete them.
   * @param now epoch milliseconds
   * @returns whether it was removed
   */
  async giveUp(now: number): Promise<boolean> {
    const job = await this.storage.get<Job>(JOB)
    if (!job || now - job.begunAt < MAX_AGE_MS) return false
    const chunks = await this.storage.list({ prefix: CHUNKS })
    await Promise.all([
      ...inChunks([...chunks.keys()], STORAGE_BATCH).map((keys) => this.storage.delete(keys)),
      this.complete(),
    ])
    return true
  }

  /** Stores a job with its chunks in place of `replaced`, and sets the alarm, atomically: nothing is awaited in between. */
  async #store(
    job: Job,
    { planned, generation }: DeletionPlan & { generation: number },
    replaced: string[] = [],
  ): Promise<void> {
    const now = new Date(job.now)
    const named = planned.map((each): PlannedDeletion => ({ ...each, entryId: this.ids.uuid(now) }))
    const chunks = inChunks(named, CHUNK).map((chunk, index) => [chunkKey(index), chunk])
    await Promise.all([
      this.storage.setAlarm(systemClock.now().getTime() + ALARM_MS),
      ...inChunks(replaced, STORAGE_BATCH).map((keys) => this.storage.delete(keys)),
      ...inChunks(chunks, STORAGE_BATCH).map((entries) => this.storage.put(Object.fromEntries(entries))),
      this.storage.put<Job>(JOB, { ...job, generation }),
    ])
  }
}

const inChunks = <T>(members: readonly T[], size: number): T[][] => chunksOf(members, () => 1, size)
