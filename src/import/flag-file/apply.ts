// Takes the steps of a plan through the public API.
import type { JsonObject } from '../../json'
import { CallError } from '../call'
import type { Client } from '../client'
import type { Names } from '../posthog/names'
import { changeFlag, createFlag, STAND_IN } from '../write/change-flag'
import { takeSteps } from '../write/take-steps'
import { Ids } from '../write/write-context'
import { DEFAULTS } from './canonical'
import { type FlagPlan, type FlagStep, isNamedBy } from './plan'

export interface ApplyOptions {
  client: Client
  /** The project's path, such as `/api/projects/1/`. */
  project: string
  names: Names
  /** Called after each step. */
  progress(done: number, of: number): void
}

export interface Applied {
  done: FlagStep[]
  problems: { key: string; problem: string }[]
}

/**
 * Takes the steps.
 * @throws CallError when the service cannot be reached, or does not know the key
 */
export async function applyFlags({ steps }: FlagPlan, options: ApplyOptions): Promise<Applied> {
  const ids = new Ids(options.names)
  const { done, problems } = await takeSteps(
    steps,
    async (step, pass) => !(pass === 1 && isLate(step, steps)) && take(step, ids, steps, options),
    options.progress,
  )
  return { done, problems: problems.map(({ step: { key }, error }) => ({ key, problem: problemOf(error) })) }
}

function problemOf(error: Error | null): string {
  if (error === null) return 'is written only in part: apply again.'
  const isConflict = error instanceof CallError && error.code === 'conflict'
  return isConflict ? `changed since the plan: plan again. (${error.message})` : error.message
}

/** Whether a flag is to be disabled and others name it. No dependency can be added to a flag that is disabled already. */
const isLate = ({ key, current, wanted }: FlagStep, steps: readonly FlagStep[]): boolean =>
  current?.active === true && wanted?.active === false && isNamedBy(key, steps)

/** @returns whether the step is taken; false for the first part of it. */
async function take(
  step: FlagStep,
  ids: Ids,
  steps: readonly FlagStep[],
  { client, project }: ApplyOptions,
): Promise<boolean> {
  const { key, current, wanted } = step
  const path = `${project}feature_flags/`
  const created = current ? undefined : ids.find('flag', key)
  if (current || created !== undefined || !wanted) {
    const change = !wanted ? { deleted: true } : current ? changeOf(step, ids) : bodyOf(wanted, ids)
    await changeFlag(client, `${path}${String(current?.id ?? created)}/`, change, current)
    return true
  }
  const isStandIn = wanted.active !== true && isNamedBy(key, steps)
  const body = {
    ...bodyOf(wanted, ids),
    ...(isStandIn ? STAND_IN : {}),
    key,
    _should_create_usage_dashboard: false,
  }
  await createFlag(client, path, body, (id) => ids.set('flag', key, id))
  return !isStandIn
}

const FIELDS = [...Object.keys(DEFAULTS), 'filters']

function bodyOf({ filters, ...rest }: NonNullable<FlagStep['wanted']>, ids: Ids): JsonObject {
  return { ...rest, filters: ids.resolve(filters) }
}

/** Returns the fields that differ. Filters that stay the same are not sent, because they may name a flag that is disabled by now. */
function changeOf({ wanted, differences }: FlagStep, ids: Ids): JsonObject {
  const body = bodyOf(wanted!, ids)
  const changed = new Set(differences.map(({ place }) => place.split(/[.[]/)[0]!))
  return Object.fromEntries(
    FIELDS.filter((field) => changed.has(field)).map((field) => [field, body[field] ?? null]),
  )
}
