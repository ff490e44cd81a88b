// Fixed planner statistics of analytics shards. Without statistics SQLite joins two large tables row by row: a retention query over
// 70,000 events takes 18 seconds instead of 0.25. With statistics from ANALYZE, plans depend on the day on which it ran: a table that was
// small then is scanned later.

/**
 * Statistics by index: number of rows, then rows with the same first column, the same first two, and so on. The main database has no
 * statistics, because its statements fit SQLite's defaults.
 */
const LARGE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: {
    events_uuid: '1000000 500000 1',
    events_name: '1000000 500000 100000 1 1',
    events_person: '1000000 500000 50 10 1',
    events_flag: '100000 50000 5000 1',
    events_time: '1000000 500000 1 1',
    events_arrival: '1000000 500000 1 1',
  },
  persons: { sqlite_autoindex_persons_1: '20000 10000 1' },
  // The primary key of a WITHOUT ROWID table has the table's name. The number of rows is that of events, because SQLite would otherwise
  // scan them for a Bloom filter before each join.
  person_distinct_ids: {
    person_distinct_ids: '1000000 500000 1',
    person_distinct_ids_person: '1000000 500000 2 1',
  },
  event_sessions: {
    event_sessions: '1000000 500000 2 1',
    event_sessions_person: '1000000 500000 4',
  },
  groups: { sqlite_autoindex_groups_1: '10000 5000 2500 1' },
  cohort_people: { cohort_people: '20000 10000 1000 1' },
}

const ROWS = Object.entries(LARGE).flatMap(([table, indexes]) =>
  Object.entries(indexes).map(([index, rows]) => [table, index, rows]),
)

/**
 * Statements that replace the statistics of a shard. SQLite's documentation, "The ANALYZE Command", describes statistics that an
 * application writes.
 */
export const PLANNER_STATS: readonly { sql: string; params: string[] }[] = [
  // This statement creates the statistics table, if there is none.
  { sql: 'ANALYZE sqlite_schema', params: [] },
  { sql: 'DELETE FROM sqlite_stat1', params: [] },
  {
    sql: `INSERT INTO sqlite_stat1 (tbl, idx, stat)
      SELECT value ->> '$[0]', value ->> '$[1]', value ->> '$[2]' FROM json_each(?)`,
    params: [JSON.stringify(ROWS)],
  },
  // This statement loads the statistics into memory again.
  { sql: 'ANALYZE sqlite_schema', params: [] },
]

/** Runs them in one transaction. */
export const seedPlannerStats = (d1: D1Database): Promise<unknown> =>
  d1.batch(PLANNER_STATS.map(({ sql, params }) => d1.prepare(sql).bind(...params)))
