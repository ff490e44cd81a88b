// Takes the steps of a plan, one after the other.
import { itemId, type Remembered, type Step } from './plan'
import { referencesOf } from './references'
import { isRejection, WaitsForApproval } from './write/change-flag'
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

/**
 * Takes the steps. A step that fails does not stop the others. It is retried at the end, because it may depend on a later one, unless it
 * waits for approval.
 * @throws CallError when the target cannot be reached, or does not know the key
 */
export async function applySteps({ steps, mark, progress, ...context }: ApplyOptions): Promise<Applied> {
  const wanted = steps.filter(({ action }) => action === 'create' || action === 'update')
  const standIns = new Set(wanted.filter((step) => needsStandIn(step, wanted)))
  const applied: Applied = { written: [], problems: [] }
  const failed: Step[] = []
  let done = 0

  async function take(step: Step, phase: 'whole' | 'stand-in'): Promise<Error | null> {
    if (!step.target) mark({ [itemId(step.item)]: UNFINISHED })
    try {
      const problems = await writeStep(context, step, phase)
      if (phase === 'whole') {
        applied.written.push(step)
        applied.problems.push(...problems.map((problem) => ({ step, problem })))
      }
      return null
    } catch (error) {
      if (!isRejection(error)) throw error
      return error
    }
  }

  for (const step of wanted) {
    const error = await take(step, standIns.has(step) ? 'stand-in' : 'whole')
    if (error instanceof WaitsForApproval) applied.problems.push({ step, problem: error.message })
    else if (error) failed.push(step)
    progress(++done, wanted.length)
  }
  for (const step of [...failed, ...[...standIns].filter((each) => !failed.includes(each))]) {
    const error = await take(step, 'whole')
    if (error) applied.problems.push({ step, problem: error.message })
  }
  return applied
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
