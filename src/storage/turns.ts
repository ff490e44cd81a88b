// Lists of work take organizations in turns, so that the backlog of one delays no other.
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/**
 * SQL by which to order a list of work first: the place of a row among those of its organization. Rows of deleted projects are as of one
 * organization.
 */
export const turnOf = (projectId: SQLWrapper, dueAt: SQLWrapper): SQL =>
  sql`row_number() OVER (PARTITION BY (SELECT p.organization_id FROM projects p WHERE p.id = ${projectId}) ORDER BY ${dueAt})`
