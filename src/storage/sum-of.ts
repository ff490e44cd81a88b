/** Writes SQL that adds terms as a balanced tree, because SQLite accepts expressions of a depth of 100. @param terms at least one */
export function sumOf(terms: readonly string[]): string {
  const [first = '0', ...others] = terms
  if (others.length === 0) return first
  const half = terms.length >> 1
  return `(${sumOf(terms.slice(0, half))} + ${sumOf(terms.slice(half))})`
}
