// Parts of an insight.

export const MAX_SERIES = 26

/** Maximum formulas of a TrendsQuery. */
export const MAX_FORMULAS = 26

/** Maximum of series times cohorts times ranges of a TrendsQuery: each is a SELECT of its own. */
export const MAX_TREND_LINES = 2 * MAX_SERIES

export const MAX_COHORTS = 20
export const MAX_FUNNEL_STEPS = 20
export const MAX_EXCLUSIONS = 5
export const MAX_PATH_STEPS = 20
/** The built-in database runs out of memory with about fifty. */
export const MAX_PATH_GROUPINGS = 20
export const MAX_PATH_EDGES = 1000

/** Maximum columns of a table of events or persons. */
export const MAX_TABLE_COLUMNS = 50
