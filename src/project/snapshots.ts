// What a project has published, and keeping it current. Runs inside the project object's queue for publishing, so builds never overtake each other.
import { within } from '../deadline'
import { consoleLog, describeError } from '../http/request-log'
import { FORMAT, type Published } from '../snapshots/document'
import { selectGeneration } from '../storage/flags-generation'
import {
  buildPublication,
  DOCUMENT_LIFE_S,
  type Publication,
  publishPointer,
  publishSnapshot,
  publishToken,
} from '../snapshots/publish'
import type { Database } from '../storage/database'

const KEY = 'published'

/** KV that does not answer by then counts as refusing: nobody else's turn waits for it. */
const DEADLINE_MS = 5_000

/** What the object remembers between lives. */
interface LastPublished {
  generation: number
  format: number
  /** Epoch milliseconds: when the document was laid down. */
  laidAt: number
  /** The token that was published last, as text, and when. */
  token?: string
  tokenLaidAt?: number
}

export class PublishedSnapshots {
  readonly #storage: DurableObjectStorage
  readonly #kv: KVNamespace
  readonly #deadlineMs: number

  constructor(storage: DurableObjectStorage, kv: KVNamespace, deadlineMs = DEADLINE_MS) {
    this.#storage = storage
    this.#kv = kv
    this.#deadlineMs = deadlineMs
  }

  /**
   * Builds the current generation and publishes it. A build that turns out older than what is published is dropped.
   * When KV refuses, the snapshot is still returned, and the next `confirm` tries again: readers are never left with the old one.
   */
  async publish(db: Database, projectId: number, now: number): Promise<Published | null> {
    const publication = await buildPublication(db, projectId)
    if (!publication) return null
    const { snapshot } = publication
    const { generation } = snapshot
    const last = await this.#storage.get<LastPublished>(KEY)
    if (last && last.generation > generation)
      return { generation: last.generation, checkedAt: now, snapshot: null }
    const laid = await this.#succeeds(publishSnapshot(this.#kv, snapshot, now))
    if (laid) {
      const token = await this.#publishToken(publication, last, now)
      await this.#storage.put<LastPublished>(KEY, { generation, format: FORMAT, laidAt: now, ...token })
    }
    return { generation, checkedAt: now, snapshot }
  }

  /** Says again what is current, and publishes only when that is not what was published last. */
  async confirm(db: Database, projectId: number, now: number): Promise<Published | null> {
    const [project] = await selectGeneration(db, projectId)
    if (!project) return null
    const { generation } = project
    const last = await this.#storage.get<LastPublished>(KEY)
    const isLaid = last?.generation === generation && last.format === FORMAT
    const isDue = !isLaid || now - last.laidAt > (DOCUMENT_LIFE_S / 2) * 1000
    if (isDue) return this.publish(db, projectId, now)
    await this.#succeeds(publishPointer(this.#kv, projectId, { generation, checked_at: now }))
    return { generation, checkedAt: now, snapshot: null }
  }

  /** Publishes a token that is new, or whose entry in KV is half as old as it may become. */
  async #publishToken(
    { token }: Publication,
    last: LastPublished | undefined,
    now: number,
  ): Promise<Pick<LastPublished, 'token' | 'tokenLaidAt'>> {
    const text = JSON.stringify(token)
    const isDue = last?.token !== text || now - (last.tokenLaidAt ?? 0) > (DOCUMENT_LIFE_S / 2) * 1000
    if (isDue && (await this.#succeeds(publishToken(this.#kv, token))))
      return { token: text, tokenLaidAt: now }
    return { token: last?.token, tokenLaidAt: last?.tokenLaidAt }
  }

  #succeeds(work: Promise<unknown>): Promise<boolean> {
    return within(work, this.#deadlineMs).then(
      () => true,
      (error: unknown) => {
        consoleLog({ level: 'error', message: 'KV did not take a snapshot', error: describeError(error) })
        return false
      },
    )
  }
}
