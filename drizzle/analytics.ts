// What flags point at outside their own area: cohorts and dashboards.
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { boolean, json, timestamp } from './columns'

/** A set of people: a list (static) or a rule over their properties (dynamic). */
export const cohorts = sqliteTable(
  'cohorts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    isStatic: boolean('is_static').notNull().default(false),
    deleted: boolean('deleted').notNull().default(false),
    /** `{properties: {type: AND | OR, values: […]}}` for a dynamic cohort. */
    filters: json<Record<string, unknown> | null>('filters'),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('cohorts_project').on(table.projectId)],
)

export const dashboards = sqliteTable(
  'dashboards',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    deleted: boolean('deleted').notNull().default(false),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('dashboards_project').on(table.projectId)],
)
