// The outcomes of a check that does not pass.

/** Thrown when a check fails. The message is what it saw. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** Thrown when a check cannot be made here. The message is the reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/** @throws Failure unless the condition holds */
export function ensure(condition: unknown, saw: string): asserts condition {
  if (!condition) throw new Failure(saw)
}

/** Thrown when a call has no response. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}
