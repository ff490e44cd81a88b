// Publishes the snapshots of a project, inside the publishing queue of its object, so that builds never overtake each other.
import { within } from '../deadline'
import { consoleLog, describeError } from '../http/request-log'
import { FORMAT, type LackingParts, type Manifest, type Published } from '../snapshots/document'
import { selectGeneration } from '../storage/flags-generation'
import type { EncodedPart } from '../snapshots/parts'
import {
  buildPublication,
  PART_TTL_S,
  type Publication,
  publishManifest,
  publishPointer,
  publishToken,
} from '../snapshots/publish'
import type { Database } from '../storage/database'

const KEY = 'published'

/** A write to KV that exceeds it has failed; the queue continues. */
const DEADLINE_MS = 5_000

/** Bytes of parts that one call returns: RPC takes at most 32 MiB. Readers take the other parts from KV. */
export const MAX_RETURNED_BYTES = 16 * 1024 * 1024

interface LastPublished {
  format: number
  manifest: Manifest
  /** The token that was published last, as text, and its time in epoch milliseconds. */
  token?: string
  tokenPutAt?: number
}

const HALF_LIFE_MS = (PART_TTL_S / 2) * 1000

export class PublishedSnapshots {
  /** Of readers that wait for the next build. */
  #lacking = { missing: new Set<string>(), unread: new Set<string>() }

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly kv: KVNamespace,
    private readonly deadlineMs = DEADLINE_MS,
  ) {}

  /** Has the next `publish` return these parts. */
  request({ missing, unread }: LackingParts): void {
    for (const hash of missing) this.#lacking.missing.add(hash)
    for (const hash of unread) this.#lacking.unread.add(hash)
  }

  /**
   * Builds the current generation and publishes it: the manifest, and the parts that KV does not have. A build that turns out older than
   * what is published is dropped.
   * When KV fails, the new parts are still returned, and the next `confirm` tries again: readers are never left with the old ones.
   */
  async publish(db: Database, projectId: number, now: number): Promise<Published | null> {
    const lacking = this.#lacking
    this.#lacking = { missing: new Set(), unread: new Set() }
    const last = await this.#last()
    const publication = await buildPublication(db, projectId, last?.manifest.parts ?? [])
    if (!publication) return null
    if (last && last.manifest.generation > publication.manifest.generation)
      return { pointer: { ...last.manifest, checked_at: now }, parts: {} }
    const fresh = new Set(
      publication.parts.filter(({ part }) => isDue(part.put_at, now) || lacking.missing.has(part.hash)),
    )
    const manifest: Manifest = {
      ...publication.manifest,
      parts: publication.parts.map((each) => (fresh.has(each) ? { ...each.part, put_at: now } : each.part)),
    }
    const pointer = { ...manifest, checked_at: now }
    if (await this.#succeeds(publishManifest(this.kv, pointer, [...fresh]))) {
      const token = await this.#publishToken(publication, last, now)
      await this.storage.put<LastPublished>(KEY, { format: FORMAT, manifest, ...token })
    }
    return {
      pointer,
      parts: returned(
        publication.parts.filter((each) => fresh.has(each) || lacking.unread.has(each.part.hash)),
      ),
    }
  }

  /** Says again what is current, and publishes only when that is not what was published last. */
  async confirm(db: Database, projectId: number, now: number): Promise<Published | null> {
    const [project] = await selectGeneration(db, projectId)
    if (!project) return null
    const last = await this.#last()
    if (
      last?.manifest.generation !== project.generation ||
      last.manifest.parts.some(({ put_at: putAt }) => isDue(putAt, now))
    )
      return this.publish(db, projectId, now)
    const pointer = { ...last.manifest, checked_at: now }
    await this.#succeeds(publishPointer(this.kv, pointer))
    return { pointer, parts: {} }
  }

  /** What was published last, in the present format. */
  async #last(): Promise<LastPublished | undefined> {
    const last = await this.storage.get<LastPublished>(KEY)
    return last?.format === FORMAT ? last : undefined
  }

  /** Publishes a token that is new, or whose entry in KV is half as old as it may become. */
  async #publishToken(
    { token }: Publication,
    last: LastPublished | undefined,
    now: number,
  ): Promise<Pick<LastPublished, 'token' | 'tokenPutAt'>> {
    const text = JSON.stringify(token)
    const isNew = last?.token !== text || isDue(last.tokenPutAt ?? 0, now)
    if (isNew && (await this.#succeeds(publishToken(this.kv, token)))) return { token: text, tokenPutAt: now }
    return { token: last?.token, tokenPutAt: last?.tokenPutAt }
  }

  #succeeds(work: Promise<unknown>): Promise<boolean> {
    return within(work, this.deadlineMs).then(
      () => true,
      (error: unknown) => {
        consoleLog({ level: 'error', message: 'KV did not take a snapshot', error: describeError(error) })
        return false
      },
    )
  }
}

const isDue = (putAt: number, now: number): boolean => now - putAt > HALF_LIFE_MS

function returned(parts: readonly EncodedPart[]): Record<string, Uint8Array> {
  let left = MAX_RETURNED_BYTES
  const fitting = parts.filter(({ bytes }) => {
    if (bytes.length > left) return false
    left -= bytes.length
    return true
  })
  return Object.fromEntries(fitting.map(({ part, bytes }) => [part.hash, bytes]))
}
