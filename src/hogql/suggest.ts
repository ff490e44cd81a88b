// Names that a misspelt name may stand for.
import { nearestName } from '../edit-distance'

/** Names of other lengths are not compared. */
const [MIN_LENGTH, MAX_LENGTH] = [3, 60]

/**
 * Returns the closest known name if it differs in few letters, or undefined.
 * @param most how many letters it may differ in, besides one in three
 */
export function closestTo(name: string, known: Iterable<string>, most = Infinity): string | undefined {
  const wanted = name.toLowerCase()
  if (wanted.length < MIN_LENGTH || wanted.length > MAX_LENGTH) return undefined
  const others = new Map<string, string>()
  for (const candidate of known) {
    const letters = candidate.toLowerCase()
    if (letters !== wanted && !others.has(letters)) others.set(letters, candidate)
  }
  const nearest = nearestName(
    wanted,
    others.keys(),
    Math.min(most, Math.max(1, Math.floor(wanted.length / 3))),
  )
  return nearest === undefined ? undefined : others.get(nearest)
}

/** Returns ` (did you mean 'event'?)`, or an empty text. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const closest = closestTo(name, known)
  return closest === undefined ? '' : ` (did you mean '${closest}'?)`
}
