// Copies persons, distinct ids, groups and cohort members of a project to ClickHouse. They change in place, so that all are copied each
// time: the later version of a row replaces the earlier one.
import type { ClickhouseTableName } from '../../analytics/clickhouse/tables'
import type { ClickhouseServer } from '../../analytics/clickhouse/server'
import { clickhouseRows, createClickhouseSink } from '../../analytics/ingestion/clickhouse-sink'
import { PEOPLE_JSON } from '../../analytics/ingestion/people-copies'
import { noRows, type RowKind, tombstone } from '../../outbox/ingestion-rows'
import type { SqlDatabase } from '../sql-database'
import { addTo, checksumOf, checksumSql, isSameSum, type Sum } from './checksum'
import { select } from './warehouse'

/** The most rows of a page. */
const PAGE = 2_000

interface Source {
  kind: Exclude<RowKind, 'events'>
  database: 'main' | 'shard'
  /** SQL of the row as JSON, in the form of `IngestionRows`. */
  row: string
  /** The columns that order the pages, which are those of an index that begins with the project. */
  key: readonly string[]
  /** FROM and WHERE; `?1` is the project. */
  from: string
}

/** The tombstones that merges and deletions left in the shard, because an earlier run may have copied the rows. */
const TOMBSTONES: readonly Source[] = [
  {
    kind: 'persons',
    database: 'shard',
    row: `json_object('uuid', t.uuid, 'version', t.version)`,
    key: ['t.uuid'],
    from: 'persons t WHERE t.project_id = ?1 AND t.is_deleted',
  },
  {
    kind: 'cohortPeople',
    database: 'shard',
    row: `json_object('cohortId', t.cohort_id, 'personUuid', t.person_uuid, 'version', t.version, 'isDeleted', json('true'))`,
    key: ['t.cohort_id', 't.person_uuid'],
    from: 'cohort_people t WHERE t.project_id = ?1 AND t.is_deleted',
  },
]

const CURRENT: readonly Source[] = [
  {
    kind: 'cohortPeople',
    database: 'main',
    row: PEOPLE_JSON.cohortPeople,
    key: ['m.cohort_id', 'm.person_id'],
    from: `cohorts c CROSS JOIN cohort_members m ON m.cohort_id = c.id CROSS JOIN persons p ON p.id = m.person_id
      WHERE c.project_id = ?1 AND p.project_id = ?1`,
  },
  {
    kind: 'groups',
    database: 'main',
    row: PEOPLE_JSON.groups,
    key: ['g.type_index', 'g.group_key'],
    from: 'groups g WHERE g.project_id = ?1',
  },
  {
    kind: 'distinctIds',
    database: 'main',
    row: PEOPLE_JSON.distinctIds,
    key: ['d.distinct_id'],
    from: 'person_distinct_ids d CROSS JOIN persons p ON p.id = d.person_id WHERE d.project_id = ?1',
  },
  {
    kind: 'persons',
    database: 'main',
    row: PEOPLE_JSON.persons,
    key: ['p.id'],
    from: 'persons p WHERE p.project_id = ?1',
  },
]

export interface PeopleSource {
  main: SqlDatabase
  shard: SqlDatabase
  server: ClickhouseServer
  projectId: number
}

/** The rows that a copy has read, by table, if they had not changed since it started. */
export interface CopiedPeople {
  /** The project's `people_version` at the start. */
  version: number
  sums: ReadonlyMap<ClickhouseTableName, Sum>
}

/** @param onRows gets how many rows have been copied */
export async function copyPeople(
  source: PeopleSource,
  onRows: (copied: number) => void = () => {},
): Promise<CopiedPeople> {
  const [project] = await source.main.query('SELECT people_version AS version FROM projects WHERE id = ?1', [
    source.projectId,
  ])
  const version = Number(project!.version)
  const sums = new Map<ClickhouseTableName, Sum>()
  let copied = 0
  for (const each of TOMBSTONES) for await (const _ of pagesOf(each, source));
  for (const each of CURRENT) {
    for await (const page of pagesOf(each, source)) {
      for (const [table, list] of page) {
        copied += list.length
        for (const row of list) if (Number(row.version) <= version) addTo(sums, table, checksumOf(table, row))
      }
      onRows(copied)
    }
  }
  return { version, sums }
}

/**
 * Copies rows page by page.
 * @yields the rows of a page, by table
 */
async function* pagesOf(
  { kind, database, row, key, from }: Source,
  { server, projectId, ...databases }: PeopleSource,
) {
  const sink = createClickhouseSink(server)
  const columns = key.join(', ')
  const after = key.map((_, index) => `?2 ->> ${index}`).join(', ')
  const statement = `SELECT json_array(${columns}) AS page_key, ${row} AS row FROM ${from}
    AND (?2 = '' OR (${columns}) > (${after})) ORDER BY ${columns} LIMIT ${PAGE}`
  for (let end = ''; ;) {
    const rows = await databases[database].query(statement, [projectId, end])
    if (rows.length === 0) return
    const list = rows.map((each) => JSON.parse(String(each.row)) as { uuid: string; version: number })
    const isTombstone = database === 'shard' && kind === 'persons'
    const batch = {
      ...noRows(),
      [kind]: isTombstone ? list.map(({ uuid, version }) => tombstone(uuid, version)) : list,
    }
    await sink.write(projectId, batch)
    yield clickhouseRows(projectId, batch)
    end = String(rows.at(-1)!.page_key)
  }
}

/**
 * Compares what a copy has read with what ClickHouse has.
 * @returns the differences
 */
export async function differencesOfPeople(
  { server, projectId }: Pick<PeopleSource, 'server' | 'projectId'>,
  { version, sums }: CopiedPeople,
): Promise<string[]> {
  const differences: string[] = []
  for (const table of ['persons', 'person_distinct_ids', 'groups', 'cohort_people'] as const) {
    const [row] = await select(
      server,
      `SELECT count(), sum(${checksumSql(table)}) FROM ${table} FINAL WHERE project_id = ${projectId} AND version <= ${version}`,
    )
    const stored = { rows: Number(row![0]), checksum: BigInt(String(row![1])) }
    const copied = sums.get(table) ?? { rows: 0, checksum: 0n }
    if (isSameSum(copied, stored)) continue
    differences.push(
      copied.rows === stored.rows
        ? `${table}: ${copied.rows} rows, with other content on ClickHouse`
        : `${table}: ${copied.rows} rows copied, ${stored.rows} on ClickHouse`,
    )
  }
  return differences
}
