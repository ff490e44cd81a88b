// Bounds of what the Worker computes for a query on D1.

/** Different texts that a function is computed of, and their bytes. */
export const MAX_COMPUTED_TEXTS = 10_000
export const MAX_COMPUTED_BYTES = 1024 * 1024

/** A result has at most so many bytes for each of its text, and so many more. */
export const MAX_GROWTH = 4
export const MAX_GROWN_BYTES = 256
