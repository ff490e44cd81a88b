// Functions that are written with other functions, in the same way on every engine.
import { AGGREGATE_MACROS } from './aggregates'
import { ARRAY_MACROS } from './arrays'
import { CHOICE_MACROS } from './choices'
import { CONVERSION_MACROS } from './conversions'
import { DATE_MACROS } from './dates'
import type { Form, Macro } from './form'
import { MAP_MACROS } from './maps'
import { TEXT_MACROS } from './texts'

export const MACROS: readonly Macro[] = [
  ...CONVERSION_MACROS,
  ...DATE_MACROS,
  ...TEXT_MACROS,
  ...CHOICE_MACROS,
  ...ARRAY_MACROS,
  ...MAP_MACROS,
  ...AGGREGATE_MACROS,
]

/** The forms of these functions by name in lower case. */
export const MACRO_FORMS: readonly [string, Form][] = MACROS.flatMap(({ names, form }) =>
  names.map((name): [string, Form] => [name.toLowerCase(), form]),
)
