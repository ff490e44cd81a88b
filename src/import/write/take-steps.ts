// Takes the steps of a plan in passes, because a step may need others that come after it.
import { isRejection, WaitsForApproval } from './change-flag'

interface Problem<Step> {
  step: Step
  /** Null for a step that was taken only in part. */
  error: Error | null
}

/**
 * Takes steps. One that fails does not stop the others. It is taken again as long as others succeed, because it may have waited for them,
 * unless it waits for approval; so is one that was taken in part.
 * @param take returns whether a step is taken as a whole, and gets the number of the pass
 * @throws CallError when the target cannot be reached, or does not know the key
 */
export async function takeSteps<Step>(
  steps: readonly Step[],
  take: (step: Step, pass: number) => Promise<boolean>,
  progress: (done: number, of: number) => void,
): Promise<{ done: Step[]; problems: Problem<Step>[] }> {
  const done: Step[] = []
  const held: Problem<Step>[] = []
  let waiting = [...steps]
  for (let pass = 1; ; pass += 1) {
    const failed: Problem<Step>[] = []
    let hasAdvanced = false
    for (const step of waiting) {
      const outcome = await take(step, pass).catch((error: unknown) => {
        if (!isRejection(error)) throw error
        return error
      })
      hasAdvanced ||= typeof outcome === 'boolean'
      if (outcome === true) done.push(step)
      else if (outcome instanceof WaitsForApproval) held.push({ step, error: outcome })
      else failed.push({ step, error: outcome || null })
      progress(done.length, steps.length)
    }
    if (failed.length === 0 || !hasAdvanced) return { done, problems: [...held, ...failed] }
    waiting = failed.map(({ step }) => step)
    // Flags written in part, or disabled late, are dependencies of others, which come first.
    if (pass === 1) waiting.reverse()
  }
}
