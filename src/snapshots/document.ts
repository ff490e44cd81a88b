// A snapshot: everything of a project that evaluation can see, at one generation. Immutable once published.
import type { AnalyticsStore } from '../storage/shards'
import type { ProjectFlagSet } from './definitions'

/** Counts up when documents get another shape: those that an older version of the Worker laid down are then not read. */
export const FORMAT = 1

export interface Snapshot extends ProjectFlagSet {
  readonly format: number
  readonly project_id: number
  readonly generation: number
  /** IANA name; what dates without an offset are read in. */
  readonly timezone: string
  /** What the project has used up; `feature_flags`: its flags are not evaluated. */
  readonly quota_limited: readonly string[]
}

/** What SDK endpoints know of a project. */
export interface SdkProject {
  id: number
  organizationId: string
  timezone: string
  requireEvaluationContexts: boolean
  store: AnalyticsStore
}

/** Which generation is current, and when that was last known to be true. */
export interface Pointer {
  readonly generation: number
  /** Epoch milliseconds, taken before D1 was asked. */
  readonly checked_at: number
}

/** The current generation, and its snapshot when it was built just now. */
export interface Published {
  generation: number
  checkedAt: number
  snapshot: Snapshot | null
}

/** Publishes snapshots, one build of a project at a time. */
export interface SnapshotPublisher {
  /** Publishes the project's current generation. */
  publish(projectId: number, now: Date): Promise<Published | null>
  /** Makes sure that the current generation is published. Null: no such project. */
  confirm(projectId: number, now: Date): Promise<Published | null>
}

/** Where readers find which generation is current. */
export const pointerKey = (projectId: number) => `flags:${projectId}`

/** Where a generation's document lies. */
export const documentKey = (projectId: number, generation: number) => `flags:${projectId}:${generation}`

/** Where the project of a token stands, for when D1 fails. */
export const tokenKey = (token: string) => `token:${token}`
