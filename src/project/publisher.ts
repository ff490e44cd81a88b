// Publishes the documents of a project: they are derived from changes in memory, and put into KV at most once a second.
import { within } from '../deadline'
import { consoleLog, describeError } from '../http/log/request-log'
import { LruCache } from '../lru-cache'
import type { Announced } from '../snapshots/change-stream'
import {
  documentKey,
  FORMAT,
  type KvMark,
  type Mark,
  type MarkedDocument,
  tokenKey,
} from '../snapshots/document'
import {
  applyChanges,
  type DefinitionChanges,
  documentOf,
  type Rendered,
  renderFromD1,
  sizeOf,
} from '../snapshots/render'
import type { Database } from '../storage/database'
import { selectGeneration } from '../storage/flags-generation'

/** The key, in the object's storage, of what KV has. */
const KEY = 'published'

interface PutFacts {
  format: number
  generation: number
  heap: number
  /** When the generation began, and when it was put, in epoch milliseconds. */
  changedAt: number
  putAt: number
}

/** Time between two writes of a key: KV takes one a second. */
const PUT_INTERVAL_MS = 1_000
/** A write to KV that takes longer counts as failed. */
const PUT_DEADLINE_MS = 5_000
/** An unchanged document is put again after this time, so that the time of its confirmation in KV is recent. */
const PUT_AGAIN_MS = 3_600_000
/** The lifetime of a token in KV, in seconds. It bounds how long a replaced token works during an outage. */
const TOKEN_TTL_S = 7 * 86_400

/** Bytes of definitions that the objects of an isolate cache together. A project that is not cached is read from D1 at its next change. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024

type RenderedCache = LruCache<number, Rendered>

const sharedCache: RenderedCache = new LruCache(MAX_CACHE_BYTES)

interface Options {
  putIntervalMs?: number
  putDeadlineMs?: number
  cache?: RenderedCache
}

/** The caller must run `publish`, `advance` and `document` one after the other. */
export class Publisher {
  readonly #storage: DurableObjectStorage
  readonly #kv: KVNamespace
  readonly #options: Required<Options>
  /** The facts of the newest document, without its text. */
  #newest: { generation: number; heap: number; changedAt: number } | null = null
  /** When D1 last confirmed the newest document, in epoch milliseconds. */
  #checkedAt = 0
  #put: PutFacts | null = null
  #isLoaded = false
  #putting: Promise<void> | null = null
  #mayPutAt = 0

  constructor(
    storage: DurableObjectStorage,
    kv: KVNamespace,
    { putIntervalMs = PUT_INTERVAL_MS, putDeadlineMs = PUT_DEADLINE_MS, cache = sharedCache }: Options = {},
  ) {
    this.#storage = storage
    this.#kv = kv
    this.#options = { putIntervalMs, putDeadlineMs, cache }
  }

  /**
   * Publishes the generation that D1 has. This costs one row when that generation is known; otherwise all definitions are read.
   * @param now epoch milliseconds of the caller
   * @throws 503 when D1 fails
   */
  async publish(db: Database, projectId: number, now: number): Promise<Mark | null> {
    const [project] = await selectGeneration(db, projectId)
    if (!project) return null
    await this.#load()
    if (!this.#newest || this.#newest.generation < project.generation || this.#isPutDue(now)) {
      const rendered = this.#inMemory(projectId, project.generation) ?? (await renderFromD1(db, projectId))
      if (!rendered) return null
      this.#setNewest(rendered)
    }
    return this.#confirm(projectId, now)
  }

  /**
   * Publishes the generation that a batch has just begun.
   * @param changes everything that it changed of the generation before it
   * @throws 503 when the generation before it is not in memory and D1 fails
   */
  async advance(
    db: Database,
    projectId: number,
    generation: number,
    changes: DefinitionChanges,
    now: number,
  ): Promise<Mark | null> {
    await this.#load()
    const before = this.#inMemory(projectId, generation - 1)
    if (!before) return this.publish(db, projectId, now)
    this.#setNewest(applyChanges(before, generation, changes))
    return this.#confirm(projectId, now)
  }

  /**
   * Returns the document of a generation, or of a newer one.
   * @throws 503 when it is not in memory and D1 fails
   */
  async document(
    db: Database,
    projectId: number,
    generation: number,
    now: number,
  ): Promise<MarkedDocument | null> {
    await this.#load()
    let rendered = this.#newest && this.#inMemory(projectId, Math.max(generation, this.#newest.generation))
    if (!rendered) {
      rendered = await renderFromD1(db, projectId)
      if (!rendered) return null
      this.#setNewest(rendered)
      this.#confirm(projectId, now)
    }
    return { mark: this.#markOf(rendered), bytes: documentOf(rendered) }
  }

  /** Returns the newest generation that this object knows; 0 for none. */
  async newest(): Promise<Announced> {
    await this.#load()
    return { generation: this.#newest?.generation ?? 0, at: this.#newest?.changedAt ?? 0 }
  }

  /** Deletes the document of a deleted project, and its token, from memory and KV. */
  async forget(projectId: number, token: string): Promise<void> {
    await this.#putting
    this.#options.cache.delete(projectId)
    this.#newest = this.#put = null
    await Promise.all([this.#kv.delete(documentKey(projectId)), this.#kv.delete(tokenKey(token))])
  }

  /** Resolves when the published document was put into KV, or when that failed. */
  async settled(): Promise<void> {
    await this.#putting
  }

  /**
   * Records that D1 has the newest document, and begins to put it into KV.
   * @returns its mark
   */
  #confirm(projectId: number, now: number): Mark {
    this.#checkedAt = Math.max(this.#checkedAt, now)
    this.#putSoon(projectId)
    const { generation, heap } = this.#newest!
    return { generation, heap, checkedAt: this.#checkedAt }
  }

  #markOf(rendered: Rendered): Mark {
    const { generation } = rendered.facts
    return { generation, heap: sizeOf(rendered).heap, checkedAt: this.#checkedAt }
  }

  #inMemory(projectId: number, generation: number): Rendered | null {
    const rendered = this.#options.cache.get(projectId)
    // Another instance of the object may have left an older document in the cache.
    return rendered && rendered.facts.generation >= generation ? rendered : null
  }

  /** Makes a document the newest, unless a newer one is known: an older read must not replace it. */
  #setNewest(rendered: Rendered): void {
    const { project_id: projectId, generation } = rendered.facts
    if (this.#newest && generation < this.#newest.generation) return
    const { bytes, heap } = sizeOf(rendered)
    const changedAt = this.#newest?.generation === generation ? this.#newest.changedAt : Date.now()
    this.#newest = { generation, heap, changedAt }
    this.#options.cache.set(projectId, rendered, bytes)
  }

  /** Loads what an earlier instance of the object put into KV, unless it is in another format. */
  async #load(): Promise<void> {
    if (this.#isLoaded) return
    const stored = await this.#storage.get<PutFacts>(KEY)
    this.#isLoaded = true
    if (stored?.format !== FORMAT) return
    this.#put = stored
    this.#newest ??= { generation: stored.generation, heap: stored.heap, changedAt: stored.changedAt }
  }

  #isPutDue(now: number): boolean {
    return this.#put?.generation !== this.#newest?.generation || now - this.#put!.putAt > PUT_AGAIN_MS
  }

  /** Begins to put the newest document into KV, at once or a second after the last time. */
  #putSoon(projectId: number): void {
    if (this.#isPutDue(this.#checkedAt))
      this.#putting ??= this.#putWhileDue(projectId).finally(() => (this.#putting = null))
  }

  /** Puts documents while there are newer ones. After a failure, the next write or reader that publishes tries again. */
  async #putWhileDue(projectId: number): Promise<void> {
    for (let isTaken = true; isTaken && this.#isPutDue(this.#checkedAt);) {
      await scheduler.wait(Math.max(0, this.#mayPutAt - Date.now()))
      isTaken = await within(this.#putNewest(projectId), this.#options.putDeadlineMs).catch(
        (error: unknown) => {
          consoleLog({ level: 'error', message: 'KV did not take a document', error: describeError(error) })
          return false
        },
      )
      this.#mayPutAt = Date.now() + this.#options.putIntervalMs
    }
  }

  /** @returns false when the document was evicted before it was put; the next reader has it read again */
  async #putNewest(projectId: number): Promise<boolean> {
    const { generation, changedAt } = this.#newest!
    const rendered = this.#inMemory(projectId, generation)
    if (!rendered) return false
    const mark = this.#markOf(rendered)
    const { value, project } = rendered.token
    await Promise.all([
      this.#kv.put(documentKey(projectId), documentOf(rendered), {
        metadata: { ...mark, format: FORMAT } satisfies KvMark,
      }),
      // A starting isolate finds the project of a token here while D1 fails.
      this.#kv.put(tokenKey(value), JSON.stringify(project), { expirationTtl: TOKEN_TTL_S }),
    ])
    const { heap, checkedAt: putAt } = mark
    this.#put = { format: FORMAT, generation: mark.generation, heap, changedAt, putAt }
    await this.#storage.put<PutFacts>(KEY, this.#put)
    return true
  }
}
