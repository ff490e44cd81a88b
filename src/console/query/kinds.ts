// The kinds of queries that a form creates; an address names one.

/** Kinds that a new query can have; those of others are edited as JSON. */
export const KINDS = [
  'HogQLQuery',
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'LifecycleQuery',
] as const
export type Kind = (typeof KINDS)[number]
