// The snapshots of a project: derived from changes in memory, and put into KV at most once a second.
import { within } from '../deadline'
import { consoleLog, describeError } from '../http/log/request-log'
import { LruCache } from '../lru-cache'
import type { Announced } from '../snapshots/change-stream'
import { FORMAT, type MissingParts, type Manifest, type Pointer, type Published } from '../snapshots/manifest'
import { changeOf, type EncodedPart, encodeParts, partBytes } from '../snapshots/parts'
import {
  applyChanges,
  type DefinitionChanges,
  PART_TTL_S,
  type Publication,
  putManifest,
  putToken,
  readPublication,
  readPublished,
} from '../snapshots/publish'
import type { Database } from '../storage/database'
import { selectGeneration } from '../storage/flags-generation'

const KEY = 'published'

/** Between two writes of a key: KV takes one a second. */
const INTERVAL_MS = 1_000

/** A write to KV that exceeds it has failed. */
const DEADLINE_MS = 5_000

/** A write waits for its parts from KV no longer: D1 has them, too. */
const KV_READ_DEADLINE_MS = 1_000

/** Bytes of parts that one call returns: RPC takes at most 32 MiB. Readers take the other parts from KV. */
export const MAX_RETURNED_BYTES = 16 * 1024 * 1024

/** Bytes of definitions that the objects of an isolate hold together. A project that is not among them is read from D1 at its next change. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024

/** A generation that is in memory, with everything that the next one is derived from. */
interface Generation {
  publication: Publication
  parts: readonly EncodedPart[]
}

type GenerationCache = LruCache<number, Generation>

const sharedCache: GenerationCache = new LruCache(MAX_CACHE_BYTES)

/** What KV has. */
interface LastPublished {
  format: number
  manifest: Manifest
  /** When its generation began, in epoch milliseconds. */
  changedAt?: number
  /** The token that was put last, as text, and its time in epoch milliseconds. */
  token?: string
  tokenPutAt?: number
}

const HALF_LIFE_MS = (PART_TTL_S / 2) * 1000

const isDue = (putAt: number | null, now: number): boolean => putAt === null || now - putAt > HALF_LIFE_MS

interface Options {
  deadlineMs?: number
  intervalMs?: number
  cache?: GenerationCache
}

/** The caller runs `publish` and `advance` one after the other. */
export class PublishedSnapshots {
  readonly #storage: DurableObjectStorage
  readonly #kv: KVNamespace
  readonly #options: Required<Options>
  #last: LastPublished | undefined
  #isLoaded = false
  /** When each part was put into KV, by hash. */
  #putAt = new Map<string, number>()
  /** The newest manifest. */
  #manifest: Manifest | undefined
  #checkedAt = 0
  /** When its generation began, in epoch milliseconds. */
  #changedAt = 0
  #isDue = false
  #earliestPut = 0
  #putting: Promise<void> | null = null

  constructor(
    storage: DurableObjectStorage,
    kv: KVNamespace,
    { deadlineMs = DEADLINE_MS, intervalMs = INTERVAL_MS, cache = sharedCache }: Options = {},
  ) {
    this.#storage = storage
    this.#kv = kv
    this.#options = { deadlineMs, intervalMs, cache }
  }

  /**
   * Publishes the generation that D1 has: at the price of one row when that is known already, else after reading all definitions.
   * @param now epoch milliseconds of the caller.
   * @param missing parts that the caller wants returned.
   * @throws 503 when D1 fails.
   */
  async publish(
    db: Database,
    projectId: number,
    now: number,
    { missing, unread }: MissingParts = { missing: [], unread: [] },
  ): Promise<Published | null> {
    const [project] = await selectGeneration(db, projectId)
    if (!project) return null
    await this.#load()
    for (const hash of missing) this.#putAt.delete(hash)
    const wanted = new Set([...missing, ...unread])
    const isCurrent = this.#manifest && this.#manifest.generation >= project.generation
    const isInMemory = this.#inMemory(projectId) !== undefined
    const needsBytes = wanted.size > 0 || this.#manifest?.parts.some(({ hash }) => this.#isPartDue(hash, now))
    if (!isCurrent || (needsBytes && !isInMemory)) {
      const publication = await readPublication(db, projectId)
      if (!publication) return null
      // An older read never replaces a newer one.
      if (!this.#manifest || publication.facts.generation >= this.#manifest.generation)
        await this.#remember(publication, [])
    }
    this.#put(now)
    const parts = this.#inMemory(projectId)?.parts ?? []
    return {
      pointer: this.#pointer(),
      parts: bytesOf(parts.filter(({ part: { hash } }) => !this.#putAt.has(hash) || wanted.has(hash))),
      changes: [],
    }
  }

  /**
   * Publishes the generation that a batch has just begun.
   * @param changes everything that it changed of the generation before it.
   * @throws 503 when that one is neither in memory nor in KV, and D1 fails.
   */
  async advance(
    db: Database,
    projectId: number,
    generation: number,
    changes: DefinitionChanges,
    now: number,
  ): Promise<Published | null> {
    await this.#load()
    const isNext = this.#manifest?.generation === generation - 1
    const before = isNext ? (this.#inMemory(projectId) ?? (await this.#inKv(db))) : null
    if (!before) return this.publish(db, projectId, now)
    await this.#remember(applyChanges(before.publication, generation, changes), before.parts)
    this.#put(now)
    const known = new Map(before.parts.map((each) => [each.part.hash, each]))
    const fresh = this.#inMemory(projectId)?.parts.filter(({ part }) => !known.has(part.hash)) ?? []
    const derived = fresh.flatMap((after) => {
      const origin = before.parts.find(
        ({ part }) => part.kind === after.part.kind && part.from === after.part.from,
      )
      return (origin && changeOf(origin, after, changes)) ?? []
    })
    const isDerived = new Set(derived.map(({ to }) => to))
    return {
      pointer: this.#pointer(),
      parts: bytesOf(fresh.filter(({ part }) => !isDerived.has(part.hash))),
      changes: derived,
    }
  }

  /** The newest generation that this object knows of; 0 for none. */
  async newest(): Promise<Announced> {
    await this.#load()
    return { generation: this.#manifest?.generation ?? 0, at: this.#changedAt }
  }

  /** Resolves when KV has the published values, or rejects them. */
  async settled(): Promise<void> {
    await this.#putting
  }

  #inMemory(projectId: number): Generation | undefined {
    const generation = this.#options.cache.get(projectId)
    // Another instance of the object may have left an older one.
    return generation && generation.publication.facts.generation === this.#manifest?.generation
      ? generation
      : undefined
  }

  /** The newest generation, as an earlier instance of the object put it into KV; null when KV does not have it, or fails. */
  async #inKv(db: Database): Promise<Generation | null> {
    const { manifest } = this.#last ?? {}
    if (!manifest || manifest.generation !== this.#manifest?.generation) return null
    return within(readPublished(db, this.#kv, manifest), KV_READ_DEADLINE_MS).catch(() => null)
  }

  async #remember(publication: Publication, earlier: readonly EncodedPart[]): Promise<void> {
    const parts = await encodeParts(publication, earlier, this.#manifest?.parts ?? [])
    const bytes = parts.reduce((sum, { part }) => sum + part.bytes, 0)
    const { facts } = publication
    if (facts.generation > (this.#manifest?.generation ?? 0)) this.#changedAt = Date.now()
    this.#manifest = { ...facts, parts: parts.map(({ part }) => ({ ...part, put_at: null })) }
    this.#options.cache.set(facts.project_id, { publication, parts }, bytes)
  }

  #pointer(): Pointer {
    const { parts, ...facts } = this.#manifest!
    return {
      ...facts,
      parts: parts.map((part) => ({ ...part, put_at: this.#putAt.get(part.hash) ?? null })),
      checked_at: this.#checkedAt,
    }
  }

  #isPartDue(hash: string, now: number): boolean {
    return isDue(this.#putAt.get(hash) ?? null, now)
  }

  /** What an earlier instance of the object put into KV. Ignored if it is in another format. */
  async #load(): Promise<void> {
    if (this.#isLoaded) return
    const last = await this.#storage.get<LastPublished>(KEY)
    this.#isLoaded = true
    if (last?.format !== FORMAT) return
    this.#last = last
    for (const { hash, put_at: putAt } of last.manifest.parts)
      if (putAt !== null) this.#putAt.set(hash, putAt)
    if (this.#manifest) return
    this.#manifest = last.manifest
    this.#changedAt = last.changedAt ?? 0
  }

  /** Has the newest manifest put into KV: at once, or a second after the last time. */
  #put(now: number): void {
    this.#checkedAt = Math.max(this.#checkedAt, now)
    this.#isDue = true
    this.#putting ??= this.#putWhileDue().finally(() => (this.#putting = null))
  }

  /** After a failure, the next write or reader that publishes tries again. */
  async #putWhileDue(): Promise<void> {
    while (this.#isDue) {
      await scheduler.wait(Math.max(0, this.#earliestPut - Date.now()))
      this.#isDue = false
      await within(this.#putNewest(), this.#options.deadlineMs).catch((error: unknown) =>
        consoleLog({ level: 'error', message: 'KV did not take a snapshot', error: describeError(error) }),
      )
      this.#earliestPut = Date.now() + this.#options.intervalMs
    }
  }

  async #putNewest(): Promise<void> {
    const now = this.#checkedAt
    const pointer = this.#pointer()
    const generation = this.#inMemory(pointer.project_id)
    const due = generation?.parts.filter(({ part }) => this.#isPartDue(part.hash, now)) ?? []
    const isPut = new Set(due.map(({ part }) => part.hash))
    const parts = pointer.parts.map((part) => (isPut.has(part.hash) ? { ...part, put_at: now } : part))
    // Evicted before it was put: the next reader has it read again.
    if (parts.some(({ put_at: putAt }) => putAt === null)) return
    await putManifest(this.#kv, { ...pointer, parts }, due)
    for (const hash of isPut) this.#putAt.set(hash, now)
    const current = new Set(parts.map(({ hash }) => hash))
    for (const hash of this.#putAt.keys()) if (!current.has(hash)) this.#putAt.delete(hash)
    const token = generation && (await this.#putToken(generation.publication, now))
    const { checked_at: _, ...manifest } = { ...pointer, parts }
    this.#last = { ...this.#last, ...token, format: FORMAT, manifest, changedAt: this.#changedAt }
    await this.#storage.put<LastPublished>(KEY, this.#last)
  }

  /** Puts a token that is new, or whose entry in KV is half as old as it may become. */
  async #putToken({ token }: Publication, now: number): Promise<Pick<LastPublished, 'token' | 'tokenPutAt'>> {
    const text = JSON.stringify(token)
    if (this.#last?.token === text && !isDue(this.#last.tokenPutAt ?? null, now)) return {}
    await putToken(this.#kv, token)
    return { token: text, tokenPutAt: now }
  }
}

function bytesOf(parts: readonly EncodedPart[]): Record<string, Uint8Array> {
  let left = MAX_RETURNED_BYTES
  const fitting = parts.filter(({ part }) => {
    if (part.bytes > left) return false
    left -= part.bytes
    return true
  })
  return Object.fromEntries(fitting.map(({ part, plan }) => [part.hash, partBytes(plan)]))
}
