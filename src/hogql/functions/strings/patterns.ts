// Regular expressions: D1 has none, and code of our own cannot run inside its queries.
import { arrayOf, INTEGER, STRING, type Type } from '../../types'
import { needsClickhouse } from '../refuse'
import { always, unlessNull } from '../returns'
import type { Expected, ScalarFunction } from '../spec'

const pattern = (
  name: string,
  takes: readonly Expected[],
  returns: (args: readonly Type[]) => Type,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes,
  returns,
  sqlite: needsClickhouse(name, 'the built-in database has no regular expressions'),
})

export const PATTERNS: readonly ScalarFunction[] = [
  pattern('match', ['string', 'string'], unlessNull(INTEGER)),
  pattern('extract', ['string', 'string'], unlessNull(STRING)),
  pattern('extractAll', ['string', 'string'], always(arrayOf(STRING))),
  pattern('extractAllGroups', ['string', 'string'], always(arrayOf(arrayOf(STRING)))),
  pattern('replaceRegexpAll', ['string', 'string', 'string'], unlessNull(STRING), 'regexp_replace'),
  pattern('replaceRegexpOne', ['string', 'string', 'string'], unlessNull(STRING)),
  pattern('countMatches', ['string', 'string'], unlessNull(INTEGER)),
  pattern('splitByRegexp', ['string', 'string'], always(arrayOf(STRING))),
  pattern('multiMatchAny', ['string', 'array'], unlessNull(INTEGER)),
]
