// How asking a model goes wrong. Nothing of what was sent or answered stands in these: they go to the log.

/** Nobody answered, or not in time. */
export class ModelUnreachable extends Error {
  override readonly name = 'ModelUnreachable'
}

/** Somebody answered, and it was no answer of a model. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

/** Of an error as little as may be said: messages of clients quote addresses and headers. */
export const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'something')
