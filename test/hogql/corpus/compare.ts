// Compares rows of two engines: in order where there is one, floats up to rounding of the order of additions.

/** Rows as they are compared: sorted where their order means nothing, numbers to twelve digits. */
export function comparable(rows: readonly (readonly unknown[])[], ordered = false): unknown[] {
  const plain = rows.map((row) => row.map(rounded))
  if (ordered) return plain
  return plain
    .map((row) => [JSON.stringify(row), row] as const)
    .sort(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .map(([, row]) => row)
}

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded)
  // `+ 0`: there is no minus zero in JSON.
  if (typeof value === 'number') return Number.isInteger(value) ? value + 0 : Number(value.toPrecision(12))
  return value
}
