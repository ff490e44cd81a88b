// How a check ends that does not pass.

/** A check failed. The message is what it saw. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** A check cannot be made here. The message is the reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** @throws Failure unless the condition holds. */
export function ensure(condition: unknown, saw: string): asserts condition {
  if (!condition) throw new Failure(saw)
}

/** A call had no answer. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}
