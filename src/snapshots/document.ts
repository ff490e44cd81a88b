// The published form of a project: one JSON document with everything that evaluation needs, at one generation.
import type { AnalyticsStore } from '../storage/shards'
import type { ProjectFlagSet } from './definitions'

/** The version of the documents' shape. Readers ignore documents of another format. */
export const FORMAT = 4

/** Everything of a project that evaluation needs, at one generation. */
export interface Snapshot extends ProjectFlagSet {
  readonly project_id: number
  readonly generation: number
  /** The IANA name of the time zone of dates without an offset. */
  readonly timezone: string
  /** The quotas that the project has used up. With `feature_flags`, its flags are not evaluated. */
  readonly quota_limited: readonly string[]
}

/** Identifies the current document of a project. */
export interface Mark {
  readonly generation: number
  /** When D1 confirmed that the generation is current, in epoch milliseconds. */
  readonly checkedAt: number
  /** The estimated heap of the compiled document, in bytes. */
  readonly heap: number
}

/**
 * The result of a change, and the mark of the document with it. The mark is null when nothing changed, and when publishing failed or takes
 * long.
 */
export type Published<T> = T & { mark: Mark | null }

/** A document with its mark, as UTF-8. */
export interface MarkedDocument {
  mark: Mark
  bytes: Uint8Array
}

/** What SDK endpoints need of a project. */
export interface SdkProject {
  id: number
  organizationId: string
  timezone: string
  store: AnalyticsStore
}

/** The object of a project, which renders its document. */
export interface SnapshotPublisher {
  /** Makes sure that the current generation is published, and returns its mark. Returns null when there is no such project. */
  publish(projectId: number, now: Date): Promise<Mark | null>
  /** Returns the document of a generation, or of a newer one. Returns null when there is no such project. */
  document(projectId: number, generation: number, now: Date): Promise<MarkedDocument | null>
}

/** Returns the key of a project's document in KV, whose metadata is a `KvMark`. */
export const documentKey = (projectId: number) => `flags:${projectId}`

/** Returns the key, in KV, of the project of a token, for when D1 fails. */
export const tokenKey = (token: string) => `token:${token}`

/** The metadata of a document in KV. */
export interface KvMark extends Mark {
  readonly format: number
}

/** Returns the mark and the unread text of the document in KV, or null when there is none of this format. */
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
