// Steps after a restore of the main database to an earlier state, or its replacement: KV, project objects, shards and ClickHouse still have
// the newer state.
//
// They order flags and copies of people by counters of a project, which only grow. A restored database would repeat numbers: readers would
// continue to serve the flags that were undone, and stores would ignore copies of persons. A new project would get the number, the
// published flags and the events of one that was lost.

/** An upper bound of the projects that are created between a backup and its restore. */
const LOST_PROJECTS = 1_000

/**
 * Statements that recount what triggers of the main database count, because a restore also restores stored counts. They can be repeated.
 */
export const RECOUNT: readonly string[] = [
  `UPDATE projects SET
    live_flag_count = (SELECT count(*) FROM feature_flags f WHERE f.project_id = projects.id AND NOT f.deleted),
    archived_flag_count = (SELECT count(*) FROM feature_flags f WHERE f.project_id = projects.id AND NOT f.deleted AND f.archived),
    endpoint_count = (SELECT count(*) FROM endpoints e WHERE e.project_id = projects.id AND NOT e.deleted),
    person_count = (SELECT count(*) FROM persons p WHERE p.project_id = projects.id),
    definition_bytes = coalesce((SELECT sum(4000 + 3 * octet_length(f.name) + max(3 * octet_length(f.filters), octet_length(f.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(f.filters), f.filters, NULL))))
      + coalesce((SELECT sum(50 + 3 * octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = f.id), 0))
      FROM feature_flags f WHERE f.project_id = projects.id AND NOT f.deleted), 0)
      + coalesce((SELECT sum(iif(o.deleted, 0, 1000 + coalesce(max(3 * octet_length(o.filters), octet_length(o.filters)
      + 50 * (SELECT count(*) FROM json_tree(iif(json_valid(o.filters), o.filters, NULL)))), 0))) FROM cohorts o WHERE o.project_id = projects.id), 0)`,
  `UPDATE organizations SET
    project_count = (SELECT count(*) FROM projects p WHERE p.organization_id = organizations.id),
    member_count = (SELECT count(*) FROM organization_memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = organizations.id AND u.is_active)`,
  `UPDATE group_types SET group_count = (SELECT count(*) FROM groups g
    WHERE g.project_id = group_types.project_id AND g.type_index = group_types.type_index)`,
  'DELETE FROM property_definition_counts',
  `INSERT INTO property_definition_counts (project_id, owner, total)
    SELECT project_id, owner, count(*) FROM property_definitions GROUP BY project_id, owner`,
]

/**
 * Statements for one transaction, which can be repeated. Both counters become the time in milliseconds, which is more than any number they
 * had, because those counted changes, also after an earlier restore.
 */
export const AFTER_RESTORE: readonly string[] = [
  `UPDATE projects SET flags_generation = max(flags_generation + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    people_version = max(people_version + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))`,
  `UPDATE sqlite_sequence SET seq = seq + ${LOST_PROJECTS} WHERE name = 'projects'`,
  // Triggers counted the rows that a file inserted, and the file also has their counts.
  ...RECOUNT,
  // Shards have the tables of builds that were undone, and a build continues after the rows of its table.
  `UPDATE endpoint_materializations SET generations = max(generations + 1, unixepoch()), building = NULL, build_plan = NULL,
    build_token = NULL, build_until = NULL`,
  // Without this, sessions that were revoked since the backup would become valid again.
  'DELETE FROM sessions',
  'DELETE FROM login_challenges',
  'DELETE FROM password_resets',
]
