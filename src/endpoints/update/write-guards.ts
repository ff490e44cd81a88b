// The write guard of an update.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { endpoints, endpointVersions } from '../../../drizzle'
import { type EndpointRow, tagsSql } from '../endpoint-rows'
import { versionColumnsOf, versionStateOf } from '../endpoint-state'

/** SQL condition: no tracked field of the endpoint or the version was written since the row was read. */
export function isUnchanged(row: EndpointRow): SQL {
  const columns = versionColumnsOf(versionStateOf(row))
  const sameVersion = (Object.keys(columns) as (keyof typeof columns)[]).map((name) => {
    const column = endpointVersions[name]
    return sql`${column} IS ${sql.param(columns[name], column)}`
  })
  const same = and(
    eq(endpoints.id, row.id),
    eq(endpoints.deleted, false),
    eq(endpoints.currentVersion, row.currentVersion),
    eq(endpoints.isActive, row.isActive),
    sql`${tagsSql} = ${row.tags}`,
    ...sameVersion,
  )
  return sql`EXISTS (SELECT 1 FROM ${endpoints} JOIN ${endpointVersions} ON ${endpointVersions.id} = ${row.versionId} WHERE ${same})`
}
