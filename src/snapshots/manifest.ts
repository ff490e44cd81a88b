// The published form of a project: a manifest with small values, and parts with the flags and cohorts. A part is stored under its hash, so
// that a change rewrites the part that it is in and the manifest.
import type { AnalyticsStore } from '../storage/shards'
import type { CohortDefinition } from '../evaluation/compile/definitions'
import type { FeedDefinition, ProjectFlagSet } from './definitions'

/** Counts up when manifests or parts get another shape: readers ignore those of another format. */
export const FORMAT = 3

/** Everything of a project that evaluation can see, at one generation. */
export interface Snapshot extends ProjectFlagSet {
  readonly project_id: number
  readonly generation: number
  /** IANA name; time zone of dates without an offset. */
  readonly timezone: string
  /** What the project has used up; `feature_flags`: its flags are not evaluated. */
  readonly quota_limited: readonly string[]
}

export type PartKind = 'all' | 'cohorts' | 'flags'

/** Some of a project's flags and cohorts, in ascending order of their ids. */
export interface PartContent {
  readonly cohorts: readonly CohortDefinition[]
  readonly flags: readonly FeedDefinition[]
}

export interface SnapshotPart {
  /** Of its content, in hex: SHA-256 of the hashes of its chunks. */
  readonly hash: string
  readonly bytes: number
  /** Heap that the part takes when compiled, in bytes, by estimate. */
  readonly heap: number
  readonly kind: PartKind
  /** Id from which on the part has the objects of its kind, up to the next part. */
  readonly from: number
  /** When the part was put into KV, in epoch milliseconds; null while it is not there. */
  readonly put_at: number | null
}

/** A snapshot with parts in the place of flags and cohorts. */
export interface Manifest extends Omit<Snapshot, keyof PartContent> {
  readonly format: number
  readonly parts: readonly SnapshotPart[]
}

/** The manifest of the current generation. */
export interface Pointer extends Manifest {
  /** Epoch milliseconds, taken before D1 confirmed that it is current. */
  readonly checked_at: number
}

/** What SDK endpoints know of a project. */
export interface SdkProject {
  id: number
  organizationId: string
  timezone: string
  requireEvaluationContexts: boolean
  store: AnalyticsStore
}

/** What turns earlier versions of a part into a later one. */
export interface PartChange {
  /** Hashes of the earlier versions, which follow each other. */
  readonly from: readonly string[]
  readonly to: string
  /** Flags that are new or changed since the first of them. */
  readonly flags: readonly FeedDefinition[]
  /** Ids of flags that are deleted since. */
  readonly deleted: readonly number[]
}

/** What a reader learns. */
export interface Published {
  /** Pointer to the current generation. */
  pointer: Pointer
  /** Bytes of parts that are not in KV yet or were asked for, by hash, as far as a call returns them. */
  parts: Readonly<Record<string, Uint8Array>>
  /** Changes by a write: readers with the previous parts need no bytes. */
  changes: readonly PartChange[]
}

/** Hashes of the parts that a reader lacks. */
export interface MissingParts {
  /** KV has none, or one with other content: they are put again. */
  missing: readonly string[]
  /** KV failed, or they are not there yet. */
  unread: readonly string[]
}

/** Publishes snapshots, one build of a project at a time. */
export interface SnapshotPublisher {
  /** Makes sure that the project's current generation is published, and returns the parts that the caller lacks. Null: no such project. */
  publish(projectId: number, now: Date, missing?: MissingParts): Promise<Published | null>
}

/** Where readers find the pointer. */
export const pointerKey = (projectId: number) => `flags:${projectId}`

export const partKey = (projectId: number, hash: string) => `flags:${projectId}:${hash}`

/** Where the project of a token stands, for when D1 fails. */
export const tokenKey = (token: string) => `token:${token}`
