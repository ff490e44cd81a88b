// Finds what was saved since a page read it, or since the save that is undone.
import { fieldsChanged } from './changed-fields'

/** Thrown in place of a write that would replace what was saved since. */
export class Overtaken<T = unknown> extends Error {
  constructor(readonly current: T) {
    super('It was changed since.')
  }
}

/**
 * Checks that what a write replaces is as expected. The API takes the last write, so that the current state is read right before.
 * @throws Overtaken if a field differs
 */
export async function expectUnchanged<T, D extends object>(
  expected: D,
  read: () => Promise<T>,
  fieldsOf: (current: T) => D,
): Promise<void> {
  const current = await read()
  if (Object.keys(fieldsChanged(fieldsOf(current), expected)).length > 0) throw new Overtaken(current)
}
