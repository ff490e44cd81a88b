// What keeps a deployment from being begun, and what its operator can do about it.

/** Thrown before anything was changed. The message is for the operator: what is missing, and what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
