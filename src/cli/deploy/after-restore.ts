// What follows a restore of the main database to an earlier state, or its replacement: KV, project objects, shards and ClickHouse still have
// what was undone.
//
// They order flags and copies of people by counters of a project, which only grow. A restored database would repeat numbers: readers would go
// on serving the flags that were undone, and stores would ignore copies of persons. And a new project would get the number, the published flags
// and the events of one that was lost.

import { RECOUNT } from './recount'

/** More projects than anybody creates between a moment and its restore. */
const LOST_PROJECTS = 1_000

/**
 * Statements, for one transaction. They can be repeated.
 *
 * Both counters become the time in milliseconds: more than any number that was counted up to, one for each change, also since an earlier
 * restore.
 */
export const AFTER_RESTORE: readonly string[] = [
  `UPDATE projects SET flags_generation = max(flags_generation + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    people_version = max(people_version + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))`,
  `UPDATE sqlite_sequence SET seq = seq + ${LOST_PROJECTS} WHERE name = 'projects'`,
  // Triggers counted the rows that came in from a file, and the file has their counts too.
  ...RECOUNT,
  // Shards have the tables of builds that were undone, and a build continues behind the rows of its table.
  `UPDATE endpoint_materializations SET generations = max(generations + 1, unixepoch()), building = NULL, build_plan = NULL,
    build_token = NULL, build_until = NULL`,
  // Whoever signed out since then, or was signed out, would be signed in again.
  'DELETE FROM sessions',
  'DELETE FROM login_challenges',
]
