// Names that a misspelt name may stand for.

/** Other names are compared with none. */
const [MIN_LENGTH, MAX_LENGTH] = [3, 60]

/** The known name that is closest, if it differs in few letters; undefined without one. */
export function closestTo(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  if (wanted.length < MIN_LENGTH || wanted.length > MAX_LENGTH) return undefined
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - wanted.length) >= least) continue
    const distance = distanceOf(wanted, candidate.toLowerCase())
    if (distance > 0 && distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** Letters to insert, to remove, to replace, or to swap with the next. */
function distanceOf(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next[at] = Math.min(
        last[at]! + 1,
        next[at - 1]! + 1,
        last[at - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[at - 2]! + 1 : Infinity,
      )
    }
    ;[before, last] = [last, next]
  }
  return last[other.length]!
}

/** ` (did you mean 'event'?)`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const closest = closestTo(name, known)
  return closest === undefined ? '' : ` (did you mean '${closest}'?)`
}
