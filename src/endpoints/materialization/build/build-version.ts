// Builds one version, from the claim to the swap (docs/reference/endpoints.md#life-cycle-of-materialized-rows).
import { clickhouseOf } from '../../../analytics/clickhouse/server'
import { d1Failure } from '../../../analytics/engine/d1-errors'
import { openShard, STATEMENT_DEADLINE_MS } from '../../../storage/shards'
import { apiErrorIn } from '../../../errors'
import { isGuardFailure } from '../../../storage/database'
import { buildValues } from '../build-values'
import { beginBuild, type BegunBuild } from './begin-build'
import { fillFromShard } from './fill-from-shard'
import { fillFromClickhouse } from './fill-from-clickhouse'
import { type BuildFailure, completeBuild, failBuild } from './finish-build'
import { type BuildMessage, sendBuilds } from './build-queue'
import { claimLease, holdsLease, releaseLease, whileRenewing } from './lease'
import { NotBuildable } from './quota'
import { type Build, type BuildDeps, readWork } from './build-work'

/**
 * The outcome `idle` means that the version is not due or another consumer builds it, `lost` that it was changed or detached during the
 * build.
 */
export type BuildOutcome = 'completed' | 'failed' | 'idle' | 'lost'

const SERVICE_FAULT: BuildFailure = {
  message: 'The rows could not be written because of a problem of the service. It is tried again.',
  isPaused: false,
}

/** Codes of errors that a retry would meet again. */
const COSTS_TOO_MUCH: ReadonlySet<string> = new Set([
  'query_timeout',
  'query_too_expensive',
  'query_memory_limit',
  'query_too_large',
])

const PAUSED = 'Materialization is paused. Narrow the query, or set is_materialized to true to try again.'

/**
 * Builds a version that is due.
 * @throws errors of storage, after which the version is still due or is due later
 */
export async function buildVersion(deps: BuildDeps, { versionId }: BuildMessage): Promise<BuildOutcome> {
  const token = deps.ids.opaqueUuid()
  if (!(await claimLease(deps.db, versionId, token, deps.clock.now()))) return 'idle'
  try {
    const work = await readWork(deps, versionId)
    if (!work) return 'idle'
    const { d1: shard } = openShard(
      deps.env,
      work.version.store.shard,
      deps.eventsMeter,
      STATEMENT_DEADLINE_MS,
    )
    const build = { ...work, deps, token, shard }
    return await whileRenewing(build, () => run(build))
  } finally {
    await releaseLease(deps.db, versionId, token)
  }
}

async function run(build: Build): Promise<BuildOutcome> {
  let begun: BegunBuild | null = null
  try {
    begun = await beginBuild(build)
    await fill(build, begun)
    const isDueAgain = await completeBuild(build, begun)
    const { projectId, versionId } = build.materialization
    if (isDueAgain) await sendBuilds(build.deps.env, [{ projectId, versionId }])
    return 'completed'
  } catch (error) {
    // The version was changed before the build began.
    if (begun === null && isGuardFailure(error)) return 'lost'
    // A build that lost its lease fails a guard or a lease check, or does not find its table.
    if (begun !== null && !(await holdsLease(build))) return 'lost'
    const failure = failureIn(error)
    if (failure !== null) return failed(build, failure)
    await failed(build, SERVICE_FAULT)
    throw error
  }
}

async function failed(build: Build, failure: BuildFailure): Promise<BuildOutcome> {
  try {
    await failBuild(build, failure)
    return 'failed'
  } catch (error) {
    if (isGuardFailure(error)) return 'lost'
    throw error
  }
}

/** Returns the errors that the query's author can fix, and null for faults of the service. */
function failureIn(error: unknown): BuildFailure | null {
  if (error instanceof NotBuildable) return { message: error.message, isPaused: false }
  // When a shard ends a statement, only a build blames the query for it.
  const failure = apiErrorIn(d1Failure(apiErrorIn(error)?.cause ?? error))
  if (failure?.status !== 400) return null
  const isPaused = COSTS_TOO_MUCH.has(failure.code)
  return { message: isPaused ? `${failure.detail} ${PAUSED}` : failure.detail, isPaused }
}

function fill(build: Build, begun: BegunBuild): Promise<void> {
  const server = begun.write.dialect === 'clickhouse' ? clickhouseOf(build.deps.env) : null
  const { query, timezone } = build.version
  const { write, startedAt } = begun
  const variables = buildValues(query, write, { timezone, now: new Date(startedAt) })
  return server ? fillFromClickhouse(build, begun, variables, server) : fillFromShard(build, begun, variables)
}
