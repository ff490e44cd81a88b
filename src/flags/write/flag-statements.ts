// Statements that insert and update a flag.
import { sql } from 'drizzle-orm'
import { featureFlags, flagTags } from '../../../drizzle'
import { entriesOf } from '../../activity/record'
import { newestDashboard } from '../../analytics/dashboards/usage-dashboard'
import type { Database } from '../../storage/database'
import { prepareOnce, type Statement } from '../../storage/prepare-once'
import { flagById, flagByKey, type FlagRow, selectFlags } from '../read/rows'

type Columns = typeof featureFlags.$inferInsert
type FlagColumns = Partial<Columns>
type Values = Record<string, unknown>

/** Returns a function that prepares one statement for each set of column names, because a request may leave out fields. */
const byShape = (build: (builder: Database, placeholders: never) => Statement<unknown>) => {
  const known = new Map<string, ReturnType<typeof prepareOnce<Values, unknown>>>()
  return (db: Database, columns: object, others: Values) => {
    const names = Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const shape = names.join()
    const placeholders = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as never
    const statement =
      known.get(shape) ?? prepareOnce<Values, unknown>((builder) => build(builder, placeholders))
    known.set(shape, statement)
    return statement(db, { ...columns, ...others })
  }
}

const update = byShape((builder, placeholders) =>
  builder
    .update(featureFlags)
    .set(placeholders)
    .where(flagById(sql.placeholder('project'), sql.placeholder('flag'))),
)

/** @param columns the new values; a column with the value undefined stays as it is */
export const updateFlag = (db: Database, projectId: number, id: number, columns: FlagColumns) =>
  update(db, columns, { project: projectId, flag: id })

const insert = byShape((builder, placeholders) => builder.insert(featureFlags).values(placeholders))

const insertWithDashboard = byShape((builder, placeholders) =>
  builder.insert(featureFlags).values({
    ...(placeholders as Columns),
    usageDashboardId: newestDashboard(sql.placeholder('projectId')) as never,
  }),
)

/** @param hasDashboard whether an earlier statement of the batch makes the usage dashboard of the flag */
export const insertFlag = (db: Database, columns: Columns, hasDashboard: boolean) =>
  (hasDashboard ? insertWithDashboard : insert)(db, columns, {})

const NEW_FLAG_ID = sql`(SELECT id FROM feature_flags WHERE project_id = ${sql.placeholder('projectId')} AND key = ${sql.placeholder('name')})`

/** Activity entries about a flag that the batch inserts. Their `name` must be the key of the flag, by which its id is found. */
export const newFlagEntries = entriesOf({ itemId: sql`CAST(${NEW_FLAG_ID} AS TEXT)` })

/** Selects the flag with a key. */
export const selectNewFlag = prepareOnce<{ projectId: number; key: string }, FlagRow[]>((db) =>
  selectFlags(db, flagByKey(sql.placeholder('projectId'), sql.placeholder('key'))),
)

/** Tags the flag with a key. */
export const insertTags = prepareOnce<{ projectId: number; key: string; names: string }, unknown>((db) =>
  db.insert(flagTags).select(
    sql`SELECT f.id, f.project_id, tag.value FROM feature_flags f, json_each(${sql.placeholder('names')}) tag
      WHERE f.project_id = ${sql.placeholder('projectId')} AND f.key = ${sql.placeholder('key')}`,
  ),
)
