// Sessions of saved queries: what the events of a `$session_id` show together. Triggers of the migration write the rows, whichever
// statement adds or deletes events.
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { timestamp } from '../columns'

/**
 * The events of one distinct id in a session. A query adds up the rows of a session, of which there are several when its person was
 * identified in between. `first`, `last`, `newest` and `click` begin with what orders the events: `<timestamp><uuid>`; `first` and
 * `last` have a digit before it that prefers views of pages and screens. The smallest or largest text has the value of the session.
 */
export const eventSessions = sqliteTable(
  'event_sessions',
  {
    projectId: integer('project_id').notNull(),
    sessionId: text('session_id').notNull(),
    distinctId: text('distinct_id').notNull(),
    startTimestamp: timestamp('start_timestamp').notNull(),
    endTimestamp: timestamp('end_timestamp').notNull(),
    pageviews: integer('pageviews').notNull(),
    autocaptures: integer('autocaptures').notNull(),
    screens: integer('screens').notNull(),
    /** The newest event. */
    newest: text('newest').notNull(),
    /** The first view, with the array of `ENTRY_PROPERTIES` as JSON. */
    first: text('first').notNull(),
    /** The last view, with its `$current_url` as JSON. */
    last: text('last').notNull(),
    /** The newest event that has an `$external_click_url`, with this URL. */
    click: text('click'),
    /** The smallest `$web_vitals_LCP_value`. */
    lcp: real('lcp'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sessionId, table.distinctId] }),
    // The sessions of a person whose events are deleted.
    index('event_sessions_person').on(table.projectId, table.distinctId),
  ],
)
