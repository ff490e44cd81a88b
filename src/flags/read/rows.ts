// A flag with everything that the API shows of it, as one row of one statement. Keys are names of the API.
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { type UserSummary, userSummarySql } from '../../http/user-summary'
import { withRunningTotal, isWithinBytes } from '../../storage/byte-page'
import { byName, fromJson } from '../../storage/columns'
import { existsIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { belongsTo, isAmong } from '../../storage/id-predicates'

const {
  searchText: _search,
  variantCount: _variants,
  fullyRolledOut: _open,
  ...ownColumns
} = getTableColumns(featureFlags)

interface LinkedExperiment {
  id: number
  name: string
  is_running: boolean
}

interface LinkedSurvey {
  id: string
  name: string
}

interface LinkedFeature extends LinkedSurvey {
  stage: string
}

// Drizzle drops table names from columns inside a single-table select, so that the subqueries name feature_flags themselves. Sets are
// sorted below their aggregate, where an index has them in order already: an ORDER BY inside the aggregate would count as another row
// read for every row of every flag.

/** Sorted sets of a flag. In SQL they are JSON text. */
const flagSets = {
  tags: fromJson<string[]>(sql`(SELECT json_group_array(name) FROM (SELECT t.name FROM flag_tags t
    WHERE t.flag_id = feature_flags.id ORDER BY t.name))`),
  evaluation_contexts: fromJson<
    string[]
  >(sql`(SELECT json_group_array(name) FROM (SELECT c.name FROM flag_evaluation_contexts c
    WHERE c.flag_id = feature_flags.id ORDER BY c.name))`),
  analytics_dashboards: fromJson<
    number[]
  >(sql`(SELECT json_group_array(dashboard_id) FROM (SELECT d.dashboard_id
    FROM flag_dashboards d WHERE d.flag_id = feature_flags.id ORDER BY d.dashboard_id))`),
}

/** Names and ids of the objects that are linked to a flag. */
const linkedColumns = {
  tags: flagSets.tags.as('tags'),
  evaluation_contexts: flagSets.evaluation_contexts.as('evaluation_contexts'),
  analytics_dashboards: flagSets.analytics_dashboards.as('analytics_dashboards'),
  experiments: fromJson<LinkedExperiment[]>(sql`(SELECT json_group_array(json_object('id', id, 'name', name,
    'is_running', json(iif(start_date IS NOT NULL AND end_date IS NULL, 'true', 'false'))))
    FROM (SELECT * FROM experiments e WHERE e.flag_id = feature_flags.id AND e.deleted = 0 ORDER BY e.id))`).as(
    'experiments',
  ),
  surveys: fromJson<
    Record<string, LinkedSurvey>
  >(sql`(SELECT json_group_object(id, json_object('id', id, 'name', name))
    FROM (SELECT s.id, s.name FROM surveys s WHERE s.linked_flag_id = feature_flags.id))`).as('surveys'),
  features: fromJson<
    Record<string, LinkedFeature>
  >(sql`(SELECT json_group_object(id, json_object('id', id, 'name', name, 'stage', stage))
    FROM (SELECT f.id, f.name, f.stage FROM early_access_features f WHERE f.flag_id = feature_flags.id))`).as(
    'features',
  ),
  cohort_names: fromJson<Record<string, string>>(sql`(SELECT json_group_object(id, name)
    FROM (SELECT c.id, c.name FROM flag_cohorts fc JOIN cohorts c ON c.id = fc.cohort_id WHERE fc.flag_id = feature_flags.id))`).as(
    'cohort_names',
  ),
}

/** Everything that the API shows of a flag. */
const flagColumns = {
  ...byName(ownColumns),
  created_by: userSummarySql('feature_flags.created_by_id').as('created_by'),
  /** The user is null when it is the creator, so that no user is read twice. */
  last_modified_by: fromJson<UserSummary | null>(
    sql`CASE WHEN feature_flags.last_modified_by_id IS NOT feature_flags.created_by_id
    THEN ${userSummarySql('feature_flags.last_modified_by_id')} END`,
  ).as('last_modified_by'),
  ...linkedColumns,
  used_in_replay: sql<number>`(SELECT p.session_recording_linked_flag_id IS feature_flags.id FROM projects p
    WHERE p.id = feature_flags.project_id)`.as('used_in_replay'),
}

/** Selects flags; the caller adds order and page. */
export const selectFlags = (db: Database, where: SQL | undefined) =>
  db.select(flagColumns).from(featureFlags).where(where)

/**
 * Selects the flags of a page as far as they fit into MAX_PAGE_BYTES, each with its position, because sorting them in SQL would count as
 * rows read.
 * @param page ids and bytes, for `withRunningTotal`
 */
export const selectFlagPage = (db: Database, page: SQL) =>
  db
    .select({ ...flagColumns, place: sql<number>`picked.place`.as('place') })
    .from(featureFlags)
    .innerJoin(withRunningTotal(page), sql`${featureFlags.id} = picked.id AND ${isWithinBytes()}`)

export type FlagRow = Awaited<ReturnType<typeof selectFlags>>[number]

/** SQL condition on the flag with this id, deleted or not, in the project. */
export const flagById = (projectId: number, id: number): SQL =>
  and(eq(featureFlags.projectId, projectId), eq(featureFlags.id, id))!

/** SQL condition on the flags with these ids, deleted or not, in the project. */
export const flagsByIds = (projectId: number, ids: readonly number[]): SQL =>
  and(belongsTo(projectId, featureFlags.projectId), isAmong(ids, featureFlags.id))!

/** Selects the flag with this id. */
export const selectFlag = (db: Database, projectId: number, id: number) =>
  selectFlags(db, flagById(projectId, id))

/** Selects a row when the project has this flag, deleted or not. */
export const selectPresence = (db: Database, projectId: number, id: number) =>
  existsIn(db, featureFlags, flagById(projectId, id))

/** SQL condition on the flag with this key, deleted or not. */
export const flagByKey = (projectId: number, key: string): SQL =>
  and(eq(featureFlags.projectId, projectId), eq(featureFlags.key, key))!
