// The compiled query of a version, made again where the one that is stored will not do.
import { and, eq, sql } from 'drizzle-orm'
import { endpointVersions } from '../../../drizzle'
import { ApiError, invalid } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import { type CompiledVersion, runnable } from '../compile/compiled-version'
import type { StoredQuery } from '../compile/query-compilation'
import type { EndpointQuery } from '../query/query-types'
import type { PlanContext } from './query-kind'

/**
 * What the engine of this deployment runs for a version.
 * @throws 400 with the compiler's reason when this engine cannot run the query, or it does not compile any more.
 */
export async function compiledQueryOf(context: PlanContext): Promise<CompiledQuery> {
  const { version, dialect } = context
  const compiled =
    version.compiled === null
      ? await compileAgain(context)
      : (JSON.parse(version.compiled) as CompiledVersion)
  return runnable(compiled.queries, dialect)
}

/**
 * The compiled form of a query that only this run wants.
 * @throws 400 for what does not compile, or cannot be run by this engine.
 */
export async function compileOnce(
  { deps, project, dialect }: PlanContext,
  query: EndpointQuery,
): Promise<CompiledQuery> {
  const { compiled } = await compile({ deps, project }, query)
  return runnable(compiled.queries, dialect)
}

/**
 * Compiles a version and stores that for the next run, with its columns. Answers of the earlier compilation no longer count.
 */
async function compileAgain({ deps, project, version }: PlanContext): Promise<CompiledVersion> {
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
  { deps, project }: Pick<PlanContext, 'deps' | 'project'>,
  query: EndpointQuery,
): Promise<StoredQuery> {
  // Most runs never need the compiler.
  const [{ draftStored }, { readWorld }] = await Promise.all([
    import('../compile/compile-query'),
    import('../compile/query-references'),
  ])
  try {
    const draft = await draftStored(query, project.timezone)
    return draft.finish(await readWorld(deps.db, project.id, draft.needs))
  } catch (error) {
    // Nothing that was sent is called `query` here.
    throw error instanceof ApiError ? invalid(null, error.detail, error.code) : error
  }
}
