// Tables on ClickHouse. Every row can be written again: ReplacingMergeTree keeps the highest version for each sorting key, and queries
// read with FINAL. The versions are the project's `people_version`; an event never changes and has none. Events are not partitioned. The
// sorting key begins with project and day, and clients send events of any year, for each of which every batch would create a part.

/** Types by name, in the order of the table. */
type Columns = Readonly<Record<string, string>>

interface ClickhouseTable {
  columns: Columns
  /** Skip indexes of the table. */
  indexes?: readonly string[]
  engine: string
  orderBy: string
}

const MOMENT = "DateTime64(6, 'UTC')"
const DOCUMENT = 'String CODEC(ZSTD(3))'

export const CLICKHOUSE_TABLES = {
  events: {
    columns: {
      project_id: 'Int64',
      uuid: 'String',
      event: 'String',
      distinct_id: 'String',
      properties: DOCUMENT,
      timestamp: MOMENT,
      created_at: MOMENT,
      sets_properties: 'Bool',
      flag_key: 'Nullable(String)',
      flag_response: 'Nullable(String)',
    },
    indexes: [
      // This index serves days and months in a time zone.
      'timestamps timestamp TYPE minmax GRANULARITY 1',
      // These indexes serve one event, a person's history, and calls of a flag.
      'uuids uuid TYPE bloom_filter GRANULARITY 4',
      'distinct_ids distinct_id TYPE bloom_filter GRANULARITY 4',
      'flag_keys flag_key TYPE bloom_filter GRANULARITY 4',
    ],
    engine: 'ReplacingMergeTree',
    orderBy: 'project_id, toDate(timestamp), event, cityHash64(distinct_id), uuid',
  },
  persons: {
    columns: {
      project_id: 'Int64',
      id: 'String',
      properties: DOCUMENT,
      is_identified: 'Bool',
      created_at: MOMENT,
      version: 'UInt64',
      is_deleted: 'UInt8',
    },
    engine: 'ReplacingMergeTree(version, is_deleted)',
    orderBy: 'project_id, id',
  },
  person_distinct_ids: {
    columns: {
      project_id: 'Int64',
      distinct_id: 'String',
      person_id: 'String',
      version: 'UInt64',
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: 'project_id, distinct_id',
  },
  groups: {
    columns: {
      project_id: 'Int64',
      index: 'Int64',
      key: 'String',
      properties: DOCUMENT,
      created_at: MOMENT,
      version: 'UInt64',
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: 'project_id, index, key',
  },
  cohort_people: {
    columns: {
      project_id: 'Int64',
      cohort_id: 'Int64',
      person_id: 'String',
      version: 'UInt64',
      is_deleted: 'UInt8',
    },
    engine: 'ReplacingMergeTree(version, is_deleted)',
    orderBy: 'project_id, cohort_id, person_id',
  },
} as const satisfies Record<string, ClickhouseTable>

export type ClickhouseTableName = keyof typeof CLICKHOUSE_TABLES

function createTable(name: string, { columns, indexes = [], engine, orderBy }: ClickhouseTable): string {
  const list = [
    ...Object.entries(columns).map(([column, type]) => `  \`${column}\` ${type}`),
    ...indexes.map((index) => `  INDEX ${index}`),
  ]
  return `CREATE TABLE IF NOT EXISTS ${name} (\n${list.join(',\n')}\n) ENGINE = ${engine} ORDER BY (${orderBy})`
}

/** Returns the statements that create the tables. They can be repeated. */
export const createTables = (): string[] =>
  Object.entries(CLICKHOUSE_TABLES).map(([name, table]) => createTable(name, table))
