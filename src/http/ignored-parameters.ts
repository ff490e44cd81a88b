// Rejects names of parameters and arguments that an operation does not have. If they were ignored, the operation would do something else
// than its caller means.
import { invalid } from '../errors'
import { closestKey } from './body/misspelt-keys'

/**
 * Parameters that every operation accepts: a credential, and the token of the project, which may select it. Clients of upstream also ask for
 * `format=json`, which every response is.
 */
const COMMON_PARAMETERS: ReadonlySet<string> = new Set(['personal_api_key', 'token'])

/** Characters of a name that an error shows. */
const MAX_SHOWN = 100

/**
 * @param known the parameters of the operation
 * @param repeatable those of them that are lists
 * @throws 400 for a parameter that the operation does not have, and for one that is given twice
 */
export function rejectIgnoredParameters(
  { searchParams }: URL,
  known: readonly string[],
  repeatable: readonly string[] = [],
): void {
  for (const name of new Set(searchParams.keys())) {
    if (!COMMON_PARAMETERS.has(name) && !(name === 'format' && searchParams.get(name) === 'json'))
      requireKnown('parameter', name, known)
    if (!repeatable.includes(name) && searchParams.getAll(name).length > 1)
      throw invalid(name, `The parameter ${name} is given more than once.`)
  }
}

/** @throws 400 `unknown_field` for a name that is not known, with the closest known one, or else all */
export function requireKnown(what: 'parameter' | 'argument', name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const meant = closestKey(name, known)
  const all = known.length > 0 ? `Known ${what}s: ${known.join(', ')}.` : `There are no ${what}s.`
  const hint = meant === null ? all : `Did you mean ${meant}?`
  const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
  throw invalid(name, `Unknown ${what}: ${shown}. ${hint}`, 'unknown_field')
}
