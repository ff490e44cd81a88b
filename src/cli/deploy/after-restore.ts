// What has to be done when a database went back to an earlier state, or another one took its place: what lies outside of it does not know.
//
// A project's flags are published under its generation, which only grows. A restored database counts on from an earlier number, so that
// project objects would hold its snapshots for old ones, and readers would go on serving what was undone. And a project that is made now would
// get the number, and with it the published flags and the rows at ClickHouse, of one that was lost.

/** How many projects nobody makes between a moment to come back to and coming back. */
const LOST_PROJECTS = 1_000

/**
 * Statements, for one transaction. They can be repeated.
 *
 * A generation becomes the time in milliseconds: more than any that was counted up to, one a change, also since an earlier restore.
 */
export const AFTER_RESTORE: readonly string[] = [
  `UPDATE projects SET flags_generation = max(flags_generation + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))`,
  `UPDATE sqlite_sequence SET seq = seq + ${LOST_PROJECTS} WHERE name = 'projects'`,
  // Rows that came in from a file were counted by triggers, and once more by the number in the file.
  'UPDATE projects SET live_flag_count = (SELECT count(*) FROM feature_flags WHERE project_id = projects.id AND NOT deleted)',
  // Whoever signed out since then, or was signed out, would be signed in again.
  'DELETE FROM sessions',
  'DELETE FROM login_challenges',
]
