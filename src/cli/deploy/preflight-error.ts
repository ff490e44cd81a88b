// Why a deployment cannot begin, and what its operator can do about it.

/** Thrown before anything was changed. The message is for the operator: what is missing, and what to do. */
export class PreflightError extends Error {
  override readonly name = 'PreflightError'
}
