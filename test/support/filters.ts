// Filters for tests: the smallest that carry what a test is about.

type Json = Record<string, unknown>

/** A property of a condition; by default one of persons. */
export const property = (fields: Json = {}): Json => ({
  key: 'email',
  type: 'person',
  value: 'a@b.c',
  ...fields,
})

/** Filters of one condition set with these properties. */
export const where = (...properties: Json[]): Json => ({
  groups: [{ properties, rollout_percentage: 100 }],
})

/** Filters of one open condition set, and whatever else. */
export const open = (fields: Json = {}): Json => ({
  groups: [{ properties: [], rollout_percentage: 100 }],
  ...fields,
})

/** Filters with variants of these shares. */
export const variants = (shares: Record<string, unknown>, fields: Json = {}): Json =>
  open({
    multivariate: {
      variants: Object.entries(shares).map(([key, rollout_percentage]) => ({ key, rollout_percentage })),
    },
    ...fields,
  })

/** A property that looks at another flag. */
export const dependsOn = (id: unknown, fields: Json = {}): Json => ({
  key: id,
  type: 'flag',
  operator: 'flag_evaluates_to',
  value: true,
  ...fields,
})

/** A property that looks at a cohort. */
export const inCohort = (id: unknown, fields: Json = {}): Json => ({
  key: 'id',
  type: 'cohort',
  operator: 'in',
  value: id,
  ...fields,
})
