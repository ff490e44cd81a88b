// The compiled query of a version, compiled again when it is stale.
import { and, eq, sql } from 'drizzle-orm'
import { endpointVersions } from '../../../drizzle'
import { aboutField } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import { type CompiledVersion, requireRunnable } from '../compile/compiled-version'
import type { StoredQuery } from '../compile/compile-query'
import type { EndpointQuery } from '../query/query-types'
import { isStale } from './find-runnable'
import type { BindContext } from './query-kind'

/** @throws 400 when the engine cannot run the query, or it does not compile any more */
export async function compiledQueryOf(context: BindContext): Promise<CompiledQuery> {
  const { version, dialect } = context
  const compiled = isStale(version)
    ? await compileAgain(context)
    : (JSON.parse(version.compiled!) as CompiledVersion)
  return requireRunnable(compiled.queries, dialect, null)
}

/** Compiles a query for this run only. @throws 400 for a query that does not compile, or cannot run on this engine */
export async function compileOnce(
  { deps, project, dialect }: BindContext,
  query: EndpointQuery,
): Promise<CompiledQuery> {
  const { compiled } = await compile({ deps, project }, query)
  return requireRunnable(compiled.queries, dialect, null)
}

/** Compiles the query and stores the compilation after the response. A new compilation invalidates stored results. */
async function compileAgain({ deps, project, version }: BindContext): Promise<CompiledVersion> {
  const { compiled, columns } = await compile({ deps, project }, version.query)
  deps.afterResponse(() =>
    deps.db
      .update(endpointVersions)
      .set({ compiled, columns, compilation: sql`compilation + 1` })
      .where(and(eq(endpointVersions.id, version.id), eq(endpointVersions.projectId, project.id))),
  )
  return compiled
}

async function compile(
  context: Pick<BindContext, 'deps' | 'project'>,
  query: EndpointQuery,
): Promise<StoredQuery> {
  // The compiler is loaded on demand, because most runs do not need it.
  const { compileQuery } = await import('../compile/compile-query')
  try {
    return await compileQuery(context, query, null)
  } catch (error) {
    // The error has no attr, because a run has no field `query`.
    throw aboutField(null, error)
  }
}
