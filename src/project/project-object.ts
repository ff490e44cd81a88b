// The object of a project. It serializes everything that writes the project's flags, and publishes them. `project-client.ts` calls it by
// RPC.
import { DurableObject } from 'cloudflare:workers'
import type { CaptureWarning } from '../analytics/capture/warnings'
import { createIds } from '../clock'
import { within } from '../deadline'
import { settings } from '../settings'
import { type ApiErrorInit, apiErrorIn } from '../errors'
import { createPayloadCipher } from '../flags/payloads'
import type {
  BulkDeleteRequest,
  BulkDeleteResult,
  DashboardRequest,
  TagUpdate,
  TagUpdateResult,
} from '../flags/project-calls'
import type { FlagRow } from '../flags/read/rows'
import { pick } from '../flags/state'
import type { FlagWrite, WrittenFlag } from '../flags/write/write-types'
import { consoleLog, describeError } from '../http/log/request-log'
import { type Database, openDatabase } from '../storage/database'
import { createMeter, type Meter } from '../storage/metered-d1'
import { Announcer } from './announcer'
import { type CommittedFlags, FlagWriter } from './flag-writer'
import { createSerialQueue } from './serial-queue'
import type { Mark, MarkedDocument, Published } from '../snapshots/document'
import { DEFINITION_COLUMNS, definitionFrom, type FeedDefinition } from '../snapshots/definitions'
import type { Announced } from '../snapshots/change-stream'
import { Publisher } from './publisher'
import { WarningLog } from './warning-log'

/** The most jobs of one project that wait. */
const QUEUE_CAPACITY = 1_000
/**
 * When the last call of D1 for a change begins, after the change has arrived. The call takes up to 8 s (`storage/metered-d1.ts`), and the
 * caller waits for 20 s (`project-client.ts`): who has learned that a change failed must not see it made later.
 */
const LAST_CALL_MS = 12_000
/** How long a write waits for its change to be published. */
const PUBLISH_DEADLINE_MS = 5_000

/** The outcome of a call, with its cost. Errors lose their class over RPC, so they travel as data. */
export type Outcome<T> = ({ value: T } | { problem: ApiErrorInit } | { crash: string }) & { cost: Meter }

export class ProjectObject extends DurableObject<Env> {
  /** The queue of everything that writes flags. */
  readonly #queue = createSerialQueue(QUEUE_CAPACITY)
  /** The queue of publishing, in which builds never overtake each other. It is separate, because readers wait for it. */
  readonly #publishing = createSerialQueue(QUEUE_CAPACITY)
  readonly #ids = createIds()
  readonly #warnings = new WarningLog(this.ctx.storage)
  /** The publisher is public for tests. */
  readonly publisher = new Publisher(this.ctx.storage, this.env.SNAPSHOTS)
  readonly #announcer = new Announcer(this.ctx.storage, this.env)
  readonly #flagWriter = new FlagWriter({
    toolsOf: (meter, lastCallAt) => ({
      db: this.#database(meter, lastCallAt),
      ids: this.#ids,
      cipher: createPayloadCipher(this.env),
      maxFlags: settings(this.env).maxFlagsPerProject,
    }),
    queue: this.#queue,
    publish: (committed) => this.#publishFlags(committed),
  })

  /** Creates or updates a flag, in the order of the calls. */
  writeFlag(write: FlagWrite): Promise<Outcome<Published<WrittenFlag>>> {
    return this.#outcomeOf((meter, lastCallAt) => this.#flagWriter.write(write, meter, lastCallAt))
  }

  bulkDelete(request: BulkDeleteRequest): Promise<Outcome<Published<BulkDeleteResult>>> {
    return this.#outcomeOf(async (meter, lastCallAt) => {
      const { deleteFlags } = await import('../flags/bulk/delete-flags')
      const deletion = () => deleteFlags({ db: this.#database(meter, lastCallAt), ids: this.#ids }, request)
      const result = await this.#queue.run(deletion)
      return { ...result, mark: result.deleted.length > 0 ? await this.#publishBulk(request) : null }
    })
  }

  updateTags(request: TagUpdate): Promise<Outcome<Published<TagUpdateResult>>> {
    return this.#outcomeOf(async (meter, lastCallAt) => {
      const { updateTags } = await import('../flags/bulk/update-tags')
      const update = () => updateTags({ db: this.#database(meter, lastCallAt), ids: this.#ids }, request)
      const { isChanged, ...result } = await this.#queue.run(update)
      return { ...result, mark: isChanged ? await this.#publishBulk(request) : null }
    })
  }

  ensureUsageDashboard(request: DashboardRequest): Promise<Outcome<void>> {
    return this.#turn(async (db) => {
      const { ensureUsageDashboard } = await import('../flags/write/usage-dashboard')
      return ensureUsageDashboard({ db, ids: this.#ids }, request)
    })
  }

  enrichUsageDashboard(request: DashboardRequest): Promise<Outcome<void>> {
    return this.#turn(async (db) => {
      const { enrichUsageDashboard } = await import('../flags/write/usage-dashboard')
      return enrichUsageDashboard(db, request)
    })
  }

  /**
   * Publishes the project's current generation. Calls that wait share one read of D1.
   * @param now epoch milliseconds of the caller
   */
  publish(projectId: number, now: number): Promise<Outcome<Mark | null>> {
    return this.#outcomeOf((meter) => this.#publish(this.#database(meter), projectId, now))
  }

  /**
   * Returns the document of a generation, or of a newer one.
   * @param now epoch milliseconds of the caller
   */
  document(projectId: number, generation: number, now: number): Promise<Outcome<MarkedDocument | null>> {
    return this.#outcomeOf((meter) =>
      this.#publishing.run(() => this.publisher.document(this.#database(meter), projectId, generation, now)),
    )
  }

  /**
   * Runs due changes, each in its own turn.
   * @param now epoch milliseconds
   * @returns whether more are due
   */
  runScheduledChanges(projectId: number, now: number): Promise<Outcome<boolean>> {
    return this.#outcomeOf(async (meter) => {
      const { runDueChanges } = await import('../flags/scheduled/run-changes')
      const write = (change: FlagWrite) => this.#flagWriter.write(change, meter)
      return runDueChanges({ db: this.#database(meter), write, log: consoleLog }, projectId, new Date(now))
    })
  }

  addWarnings(warnings: CaptureWarning[]): Promise<Outcome<void>> {
    return this.#outcomeOf(() => this.#warnings.add(warnings))
  }

  /** @param now epoch milliseconds of the caller */
  listWarnings(now: number): Promise<Outcome<CaptureWarning[]>> {
    return this.#outcomeOf(() => this.#warnings.list(now))
  }

  /**
   * Deletes what this object stores, and has published, of a deleted project.
   * @param token of the project
   */
  forget(projectId: number, token: string): Promise<Outcome<void>> {
    return this.#turn(async () => {
      await this.#publishing.run(() => this.publisher.forget(projectId, token))
      await this.ctx.storage.deleteAll()
    })
  }

  /**
   * Announces later generations to a stream object, until it has no streams.
   * @param nth number of the stream object
   * @returns the newest generation
   */
  async subscribe(nth: number): Promise<Announced> {
    await this.#announcer.subscribe(nth)
    return this.publisher.newest()
  }

  async #publish(db: Database, projectId: number, now: number): Promise<Mark | null> {
    const mark = await this.#publishing.runShared(() => this.publisher.publish(db, projectId, now))
    this.#announce(projectId, mark)
    return mark
  }

  /** Announces a generation to streams. Nothing waits for it. */
  #announce(projectId: number, mark: Mark | null): void {
    if (!mark) return
    const announced = this.#announcer.announce(projectId, mark).catch((error: unknown) =>
      consoleLog({
        level: 'error',
        message: 'announcing a change to streams failed',
        error: describeError(error),
      }),
    )
    this.ctx.waitUntil(announced)
  }

  /** Publishes flags that were committed. It never throws. */
  #publishFlags({ projectId, generation, changed, now }: CommittedFlags): Promise<Mark | null> {
    return this.#publishInTime(async () => {
      const mark = await this.#publishing.run(() => {
        const changes = new Map(changed.map(({ row }) => [row.id, definitionOf(row)]))
        return this.publisher.advance(this.#database(createMeter()), projectId, generation, changes, now)
      })
      this.#announce(projectId, mark)
      return mark
    })
  }

  /** Publishes a change of many flags. It never throws. */
  #publishBulk({ projectId, now }: BulkDeleteRequest | TagUpdate): Promise<Mark | null> {
    return this.#publishInTime(() => this.#publish(this.#database(createMeter()), projectId, now))
  }

  /**
   * Publishes a change that is committed. It therefore never throws: a failure is logged, and the next reader publishes the change.
   */
  #publishInTime(publish: () => Promise<Mark | null>): Promise<Mark | null> {
    return within(publish(), PUBLISH_DEADLINE_MS).catch((error: unknown) => {
      consoleLog({ level: 'error', message: 'publishing a change failed', error: describeError(error) })
      return null
    })
  }

  #database(meter: Meter, lastCallAt?: number) {
    return openDatabase(this.env.DB, meter, { lastCallAt })
  }

  /** Runs a change of flags after those before it have ended. */
  #turn<T>(change: (db: Database) => Promise<T>): Promise<Outcome<T>> {
    return this.#outcomeOf((meter, lastCallAt) =>
      this.#queue.run(() => change(this.#database(meter, lastCallAt))),
    )
  }

  async #outcomeOf<T>(work: (meter: Meter, lastCallAt: number) => Promise<T>): Promise<Outcome<T>> {
    const cost = createMeter()
    try {
      return { value: await work(cost, Date.now() + LAST_CALL_MS), cost }
    } catch (error) {
      const expected = apiErrorIn(error)
      if (!expected) return { crash: describeError(error), cost }
      const { status, type, code, detail, attr, shape, more, headers } = expected
      return { problem: { status, type, code, detail, attr, shape, more, headers }, cost }
    }
  }
}

/**
 * Returns the definition that a snapshot has of a flag, or null for a deleted flag. It is byte for byte the one that is rendered from D1.
 */
const definitionOf = (row: FlagRow): FeedDefinition | null =>
  row.deleted
    ? null
    : definitionFrom(
        pick(
          {
            ...row,
            filters: JSON.stringify(row.filters),
            has_experiment: row.experiments.length === 0 ? 0 : 1,
          },
          DEFINITION_COLUMNS,
        ),
      )
