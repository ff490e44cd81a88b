// Runs saved queries, and reads what their runs wrote to the log.
import { eq } from 'drizzle-orm'
import { endpointLogs } from '../../../drizzle/events'
import { compiledVersion, hogql, numbers, type StoredVersion } from './saved-queries'
import { shard, type Tenant } from '../tenant'

/** Returns the path at which an endpoint of the tenant is run. */
export const runPath = ({ projectId }: Pick<Tenant, 'projectId'>, name: string, rest = '') =>
  `/api/projects/${projectId}/endpoints/${name}/run/${rest}`

/** Runs an endpoint of the tenant. `query` begins with its question mark. */
export const run = (tenant: Tenant, name: string, body?: unknown, query = '') =>
  tenant.post(runPath(tenant, name, query), body)

/** Returns level and message of an endpoint's log, oldest first. The duration, which always differs, is replaced. */
export async function linesOf(endpointId: string): Promise<string[]> {
  const rows = await shard()
    .select()
    .from(endpointLogs)
    .where(eq(endpointLogs.endpointId, endpointId))
    .orderBy(endpointLogs.id)
  return rows.map(({ level, message }) => `${level} ${message.replace(/duration_ms=\d+/, 'duration_ms=N')}`)
}

/** A query that returns the value of its variable `v`. */
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
