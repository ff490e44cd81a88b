// Takes the steps of a plan through the public API.
import type { JsonObject } from '../../json'
import { CallError } from '../call'
import type { Client } from '../client'
import type { Names } from '../posthog/names'
import { changeFlag, createFlag, isRejection, STAND_IN, WaitsForApproval } from '../write/change-flag'
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
 * Takes the steps. A step that fails does not stop the others, and is retried as long as others succeed, because it may have waited for
 * them, unless it waits for approval.
 * @throws CallError when the service cannot be reached, or does not know the key
 */
export async function applyFlags({ steps }: FlagPlan, options: ApplyOptions): Promise<Applied> {
  const ids = new Ids(options.names)
  const done: FlagStep[] = []
  const held: { step: FlagStep; problem: string }[] = []
  let waiting = [...steps]
  for (let pass = 1; ; pass += 1) {
    const failed: { step: FlagStep; problem: string }[] = []
    let hasAdvanced = false
    for (const step of waiting) {
      const { isWhole, isHeld, problem } =
        pass === 1 && isLate(step, steps)
          ? { isWhole: false, isHeld: false, problem: null }
          : await attempt(() => take(step, ids, steps, options))
      hasAdvanced ||= problem === null
      if (isWhole) done.push(step)
      else if (isHeld) held.push({ step, problem: problem! })
      else failed.push({ step, problem: problem ?? 'is written only in part: apply again.' })
      options.progress(done.length, steps.length)
    }
    if (failed.length === 0 || !hasAdvanced)
      return { done, problems: [...held, ...failed].map(({ step: { key }, problem }) => ({ key, problem })) }
    waiting = failed.map(({ step }) => step)
    // Flags written in part, or disabled late, are dependencies of others, which come first.
    if (pass === 1) waiting.reverse()
  }
}

/** Whether a flag is to be disabled and others name it. No dependency can be added to a flag that is disabled already. */
const isLate = ({ key, current, wanted }: FlagStep, steps: readonly FlagStep[]): boolean =>
  current?.active === true && wanted?.active === false && isNamedBy(key, steps)

async function attempt(
  work: () => Promise<boolean>,
): Promise<{ isWhole: boolean; isHeld: boolean; problem: string | null }> {
  try {
    return { isWhole: await work(), isHeld: false, problem: null }
  } catch (error) {
    if (!isRejection(error)) throw error
    const isConflict = error instanceof CallError && error.code === 'conflict'
    return {
      isWhole: false,
      isHeld: error instanceof WaitsForApproval,
      problem: isConflict ? `changed since the plan: plan again. (${error.message})` : error.message,
    }
  }
}

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
