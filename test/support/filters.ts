// The smallest filters for tests.

type Json = Record<string, unknown>

/** Returns a property of a condition, by default one of persons. */
export const property = (fields: Json = {}): Json => ({
  key: 'email',
  type: 'person',
  value: 'a@b.c',
  ...fields,
})

/** Returns filters of one condition set with these properties. */
export const where = (...properties: Json[]): Json => ({
  groups: [{ properties, rollout_percentage: 100 }],
})

/** Returns filters of one open condition set, with further fields. */
export const open = (fields: Json = {}): Json => ({
  groups: [{ properties: [], rollout_percentage: 100 }],
  ...fields,
})

/** Returns filters with variants of these shares. */
export const variants = (shares: Record<string, unknown>, fields: Json = {}): Json =>
  open({
    multivariate: {
      variants: Object.entries(shares).map(([key, rollout_percentage]) => ({ key, rollout_percentage })),
    },
    ...fields,
  })

/** Returns a property that depends on another flag. */
export const dependsOn = (id: unknown, fields: Json = {}): Json => ({
  key: id,
  type: 'flag',
  operator: 'flag_evaluates_to',
  value: true,
  ...fields,
})

/** Returns a property that tests a cohort. */
export const inCohort = (id: unknown, fields: Json = {}): Json => ({
  key: 'id',
  type: 'cohort',
  operator: 'in',
  value: id,
  ...fields,
})
