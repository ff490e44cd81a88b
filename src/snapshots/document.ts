// A snapshot: everything of a project that evaluation can see, at one generation. Immutable once published.
import type { AnalyticsStore } from '../analytics/store'
import type { ProjectFlagSet } from '../flags/definitions'

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

/** Where readers find which generation is current. */
export const pointerKey = (projectId: number) => `flags:${projectId}`

/** Where a generation's document lies. */
export const documentKey = (projectId: number, generation: number) => `flags:${projectId}:${generation}`

/** Where the project of a token stands, for when D1 fails. */
export const tokenKey = (token: string) => `token:${token}`
