// Divides what one request cannot take.
import type { JsonValue } from '../json'

const encoder = new TextEncoder()

/** Yields batches of at most `maxCount` values, and of `maxBytes` of JSON unless one value alone has more. */
export function* batchesOf<T extends JsonValue>(
  values: readonly T[],
  maxCount: number,
  maxBytes: number,
): Generator<T[]> {
  let batch: T[] = []
  let bytes = 0
  for (const value of values) {
    const size = encoder.encode(JSON.stringify(value)).byteLength
    if (batch.length === maxCount || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(value)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
