// Running saved queries, and what their runs wrote to the log.
import { eq } from 'drizzle-orm'
import { endpointLogs } from '../../../drizzle/events'
import { compiledVersion, hogql, numbers, type StoredVersion } from './saved-queries'
import { shard, type Tenant } from '../tenant'

/** Where an endpoint of the tenant's is run, with whatever comes behind it. */
export const runPath = ({ projectId }: Pick<Tenant, 'projectId'>, name: string, rest = '') =>
  `/api/projects/${projectId}/endpoints/${name}/run/${rest}`

/** Runs an endpoint of the tenant's. `query` begins with its question mark. */
export const run = (tenant: Tenant, name: string, body?: unknown, query = '') =>
  tenant.post(runPath(tenant, name, query), body)

/** Level and message of what is in an endpoint's log, oldest first; a duration is another each time. */
export async function linesOf(endpointId: string): Promise<string[]> {
  const rows = await shard()
    .select()
    .from(endpointLogs)
    .where(eq(endpointLogs.endpointId, endpointId))
    .orderBy(endpointLogs.id)
  return rows.map(({ level, message }) => `${level} ${message.replace(/duration_ms=\d+/, 'duration_ms=N')}`)
}

/** A query that gives the value of its variable `v`. */
export const withVariable: StoredVersion = {
  query: hogql('SELECT {variables.v}', {
    x: { variableId: crypto.randomUUID(), code_name: 'v', value: 'stored' },
  }),
  compiled: compiledVersion(
    numbers({
      sql: 'SELECT ?1 AS c0 LIMIT ?2 OFFSET ?3',
      parameters: [
        { kind: 'variable', name: 'v', type: { kind: 'string', nullable: true } },
        { kind: 'limit' },
        { kind: 'offset' },
      ],
      columns: [{ name: 'v', type: { kind: 'string', nullable: true } }],
      variables: ['v'],
    }),
  ),
}
