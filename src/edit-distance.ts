// Edit distance of two names, for errors that suggest the intended one.

/**
 * Returns how many letters to insert, delete or replace, or neighbours to swap, lead from one name to the other.
 * @returns above `max`, any larger number: the comparison stops there
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (isSame ? 0 : 1),
          isSwap ? before[j - 2]! + 1 : Infinity,
        ),
      )
    }
    if (Math.min(...next) > max) return max + 1
    before = row
    row = next
  }
  return row[b.length]!
}

/** Returns the name with the least distance, the first of several, or undefined when none is within `max`. */
export function nearestName(name: string, known: Iterable<string>, max: number): string | undefined {
  let nearest: string | undefined
  let least = max + 1
  for (const candidate of known) {
    const distance = editDistance(name, candidate, least - 1)
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}
