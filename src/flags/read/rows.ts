// A flag with everything that the wire shows of it, as one row of one statement. Keys are wire names.
import { and, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { featureFlags } from '../../../drizzle'
import { userSummarySql } from '../../http/user-summary'
import { bytesOf, withRunningTotal, isWithinBytes } from '../../storage/byte-page'
import { byName } from '../../storage/columns'
import { existsIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { prepareOnce } from '../../storage/prepare-once'

const {
  searchText: _search,
  variantCount: _variants,
  fullyRolledOut: _open,
  ...ownColumns
} = getTableColumns(featureFlags)

/** @param max where the list ends */
const tagsOf = (max = -1) =>
  sql<string>`(SELECT json_group_array(name) FROM (SELECT t.name FROM flag_tags t
    WHERE t.flag_id = feature_flags.id ORDER BY t.name LIMIT ${sql.raw(String(max))}))`

// Inside a single-table select Drizzle drops table names from columns, so the subqueries name feature_flags themselves.
// Sets are put in order below their aggregate, where an index has them in order already: an ORDER BY inside the aggregate counts as a
// row read more, each, for every flag that is shown.
/** Sets of a flag, in order: JSON text. */
export const flagSets = {
  tags: tagsOf(),
  evaluation_contexts: sql<string>`(SELECT json_group_array(name) FROM (SELECT c.name FROM flag_evaluation_contexts c
    WHERE c.flag_id = feature_flags.id ORDER BY c.name))`,
  analytics_dashboards: sql<string>`(SELECT json_group_array(dashboard_id) FROM (SELECT d.dashboard_id FROM flag_dashboards d
    WHERE d.flag_id = feature_flags.id ORDER BY d.dashboard_id))`,
}

const columns = {
  ...byName(ownColumns),
  created_by: userSummarySql('feature_flags.created_by_id').as('created_by'),
  /** Null if that is the creator: no user is read twice. */
  last_modified_by: sql<
    string | null
  >`CASE WHEN feature_flags.last_modified_by_id IS NOT feature_flags.created_by_id
    THEN ${userSummarySql('feature_flags.last_modified_by_id')} END`.as('last_modified_by'),
  tags: flagSets.tags.as('tags'),
  evaluation_contexts: flagSets.evaluation_contexts.as('evaluation_contexts'),
  analytics_dashboards: flagSets.analytics_dashboards.as('analytics_dashboards'),
  experiments: sql<string>`(SELECT json_group_array(json_object('id', id, 'name', name,
    'is_running', json(iif(start_date IS NOT NULL AND end_date IS NULL, 'true', 'false'))))
    FROM (SELECT * FROM experiments e WHERE e.flag_id = feature_flags.id AND e.deleted = 0 ORDER BY e.id))`.as(
    'experiments',
  ),
  surveys: sql<string>`(SELECT json_group_object(s.id, json_object('id', s.id, 'name', s.name)) FROM surveys s
    WHERE s.linked_flag_id = feature_flags.id)`.as('surveys'),
  features:
    sql<string>`(SELECT json_group_object(f.id, json_object('id', f.id, 'name', f.name, 'stage', f.stage))
    FROM early_access_features f WHERE f.flag_id = feature_flags.id)`.as('features'),
  cohort_names:
    sql<string>`(SELECT json_group_object(c.id, c.name) FROM flag_cohorts fc JOIN cohorts c ON c.id = fc.cohort_id
    WHERE fc.flag_id = feature_flags.id)`.as('cohort_names'),
  used_in_replay: sql<number>`(SELECT p.session_recording_linked_flag_id IS feature_flags.id FROM projects p
    WHERE p.id = feature_flags.project_id)`.as('used_in_replay'),
}

/** Selects flags; the caller adds order and page. */
export const selectFlags = (db: Database, where: SQL | undefined) =>
  db.select(columns).from(featureFlags).where(where)

/** Tags of a flag that `selectSmallFlags` reads. */
const MAX_SMALL_TAGS = 32

/** A page of the newest flags of a project, archived ones or others. */
export interface NewestFlags {
  projectId: number
  archived: boolean
  limit: number
  offset: number
  /** Bytes of the large columns of a flag. */
  maxBytes: number
}

const given = (name: keyof NewestFlags) => sql.placeholder(name)
const isSmall = sql`${bytesOf(featureFlags.filters, featureFlags.name, featureFlags.rollbackConditions)} <= ${given('maxBytes')}`
const ifSmall = <Column extends SQLiteColumn>(column: Column) =>
  sql<Column['_']['data']>`CASE WHEN ${isSmall} THEN ${column} END`.mapWith(column)

/** Selects the newest flags, each row once. A flag above `maxBytes` is not `isWhole`: then the page has to be read with `selectFlagPage`. */
export const selectNewestFlags = prepareOnce<NewestFlags, (FlagRow & { is_small: number })[]>((db) =>
  db
    .select({
      ...columns,
      filters: ifSmall(featureFlags.filters).as('filters_if_small'),
      name: ifSmall(featureFlags.name).as('name_if_small'),
      rollback_conditions: ifSmall(featureFlags.rollbackConditions).as('rollback_if_small'),
      tags: tagsOf(MAX_SMALL_TAGS + 1).as('tags'),
      // Not by the flag's project: a row of the project for all flags.
      used_in_replay: sql<number>`(SELECT p.session_recording_linked_flag_id FROM projects p
        WHERE p.id = ${given('projectId')}) IS feature_flags.id`.as('used_in_replay'),
      is_small: sql<number>`${isSmall}`.as('is_small'),
    })
    .from(featureFlags)
    .where(
      and(
        eq(featureFlags.projectId, given('projectId')),
        eq(featureFlags.deleted, false),
        eq(featureFlags.archived, given('archived')),
      ),
    )
    .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id))
    .limit(given('limit'))
    .offset(given('offset')),
)

/** Whether `selectNewestFlags` has read all of a flag. */
export const isWhole = ({ is_small, tags }: { is_small: number; tags: string }): boolean =>
  is_small === 1 && (JSON.parse(tags) as string[]).length <= MAX_SMALL_TAGS

/**
 * Selects the flags of a page as far as they are within MAX_PAGE_BYTES, each with its place: sorting them in SQL would count as rows read.
 * @param page ids and bytes, for `withRunningTotal`.
 */
export const selectFlagPage = (db: Database, page: SQL) =>
  db
    .select({ ...columns, place: sql<number>`picked.place`.as('place') })
    .from(featureFlags)
    .innerJoin(withRunningTotal(page), sql`${featureFlags.id} = picked.id AND ${isWithinBytes()}`)

export type FlagRow = Awaited<ReturnType<typeof selectFlags>>[number]

/** The flag with this id, deleted or not, if the project has it. */
export const flagById = (projectId: number | Placeholder, id: number | Placeholder): SQL =>
  and(eq(featureFlags.projectId, projectId), eq(featureFlags.id, id))!

/** Selects the flag with this id. */
export const selectFlag = prepareOnce<{ projectId: number; id: number }, FlagRow[]>((db) =>
  selectFlags(db, flagById(sql.placeholder('projectId'), sql.placeholder('id'))),
)

/** A row when the project has this flag, deleted or not. */
export const selectPresence = (db: Database, projectId: number, id: number) =>
  existsIn(db, featureFlags, flagById(projectId, id))

/** The flag that holds this key, deleted or not. */
export const flagByKey = (projectId: number | Placeholder, key: string | Placeholder): SQL =>
  and(eq(featureFlags.projectId, projectId), eq(featureFlags.key, key))!
