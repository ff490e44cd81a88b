// The published form of a project: one JSON document with everything that evaluation can see at one generation.
import type { AnalyticsStore } from '../storage/shards'
import type { ProjectFlagSet } from './definitions'

/** Counts up when documents get another shape: readers ignore those of another format. */
export const FORMAT = 4

/** Everything of a project that evaluation can see, at one generation. */
export interface Snapshot extends ProjectFlagSet {
  readonly project_id: number
  readonly generation: number
  /** IANA name; time zone of dates without an offset. */
  readonly timezone: string
  /** What the project has used up; `feature_flags`: its flags are not evaluated. */
  readonly quota_limited: readonly string[]
}

/** Names the current document of a project. */
export interface Mark {
  readonly generation: number
  /** When D1 confirmed that the generation is current, in epoch milliseconds. */
  readonly checkedAt: number
  /** Heap that the document takes when compiled, in bytes, by estimate. */
  readonly heap: number
}

/** A document as it travels: UTF-8. */
export interface MarkedDocument {
  mark: Mark
  bytes: Uint8Array
}

/** What SDK endpoints know of a project. */
export interface SdkProject {
  id: number
  organizationId: string
  timezone: string
  requireEvaluationContexts: boolean
  store: AnalyticsStore
}

/** The object of a project, which renders its document. */
export interface SnapshotPublisher {
  /** Makes sure that the current generation is published, and returns its mark. Null: no such project. */
  publish(projectId: number, now: Date): Promise<Mark | null>
  /** The document of a generation, or of a newer one. Null: no such project. */
  document(projectId: number, generation: number, now: Date): Promise<MarkedDocument | null>
}

/** Where KV has the document of a project. Its metadata is what `KvMark` says. */
export const documentKey = (projectId: number) => `flags:${projectId}`

/** Where the project of a token stands, for when D1 fails. */
export const tokenKey = (token: string) => `token:${token}`

/** What KV says about a document without its text. */
export interface KvMark extends Mark {
  readonly format: number
}

/** The mark and the unread text of the document in KV; null when there is none of this format. */
export async function documentInKv(
  kv: KVNamespace,
  projectId: number,
): Promise<{ mark: Mark; body: ReadableStream } | null> {
  const { value, metadata } = await kv.getWithMetadata<KvMark>(documentKey(projectId), 'stream')
  if (!value) return null
  if (metadata?.format === FORMAT) return { mark: metadata, body: value }
  await value.cancel()
  return null
}

export const parseDocument = (bytes: Uint8Array): Snapshot =>
  JSON.parse(new TextDecoder().decode(bytes)) as Snapshot
