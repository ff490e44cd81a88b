// Counts that triggers of the main database keep, from the rows that they count.

/** Statements, for one transaction. They can be repeated. */
export const RECOUNT: readonly string[] = [
  `UPDATE projects SET
    live_flag_count = (SELECT count(*) FROM feature_flags f WHERE f.project_id = projects.id AND NOT f.deleted),
    archived_flag_count = (SELECT count(*) FROM feature_flags f WHERE f.project_id = projects.id AND NOT f.deleted AND f.archived),
    endpoint_count = (SELECT count(*) FROM endpoints e WHERE e.project_id = projects.id AND NOT e.deleted),
    person_count = (SELECT count(*) FROM persons p WHERE p.project_id = projects.id)`,
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
