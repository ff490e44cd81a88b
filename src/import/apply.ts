// Takes the steps of a plan.
import { itemId, type Remembered, type Step } from './plan'
import { referencesOf } from './references'
import { takeSteps } from './write/take-steps'
import type { WriteContext } from './write/write-context'
import { writeStep } from './write/writer'

export interface Applied {
  written: Step[]
  /** Problems of steps: the parts of a step that were not written. */
  problems: { step: Step; problem: string }[]
}

export interface ApplyOptions extends WriteContext {
  steps: readonly Step[]
  /** Called before an item is written. Until its writing is complete, a repeated import takes the item for its own. */
  mark(items: Readonly<Record<string, Remembered>>): void
  /** Called after each step. */
  progress(done: number, of: number): void
}

const UNFINISHED: Remembered = { source: null, target: null }

const PARTLY = 'is written only in part: import again'

/**
 * Takes the steps that create or update something.
 * @throws CallError when the target cannot be reached, or does not know the key
 */
export async function applySteps({ steps, mark, progress, ...context }: ApplyOptions): Promise<Applied> {
  const wanted = steps.filter(({ action }) => action === 'create' || action === 'update')
  const standIns = new Set(wanted.filter((step) => needsStandIn(step, wanted)))
  const parts: Applied['problems'] = []
  const take = async (step: Step, pass: number): Promise<boolean> => {
    const isStandIn = pass === 1 && standIns.has(step)
    if (!step.target) mark({ [itemId(step.item)]: UNFINISHED })
    const problems = await writeStep(context, step, isStandIn ? 'stand-in' : 'whole')
    parts.push(...problems.map((problem) => ({ step, problem })))
    return !isStandIn
  }
  const { done, problems } = await takeSteps(wanted, take, progress)
  return {
    written: done,
    problems: [...parts, ...problems.map(({ step, error }) => ({ step, problem: error?.message ?? PARTLY }))],
  }
}

/** Whether a flag is disabled, created, and named by others that are written. */
function needsStandIn({ action, item }: Step, wanted: readonly Step[]): boolean {
  return (
    action === 'create' &&
    item.kind === 'flag' &&
    item.value.active !== true &&
    wanted.some(
      (other) => other.item.kind === 'flag' && referencesOf(other.item.value, 'flag').includes(item.key),
    )
  )
}
