// What a function of the catalogue is: one literal that says what it takes, what it gives, and how each engine writes it.
import type { Type, Kind } from '../types'
import type { Literal } from '../ir'

/**
 * What an argument is taken as. The resolver converts what can be converted without a doubt (an integer where a float is due, a property's
 * text where a number is due, a text constant where a moment is due) and refuses the rest. `condition` is anything that is true or false.
 */
export type Expected = 'any' | 'number' | 'condition' | 'moment' | 'lambda' | Exclude<Kind, 'null' | 'tuple'>

interface Signature {
  /** Canonical name. HogQL's other spellings are in `aliases`; all of them are found whatever their case. */
  name: string
  aliases?: readonly string[]
  takes: readonly Expected[]
  /** How many of `takes`, from the end, may be left out. */
  optional?: number
  /** What further arguments are taken as; without it there are none. */
  rest?: Expected
  /** The type of what it gives. NULL in, NULL out is the function's own business: say so here. */
  returns(args: readonly Type[]): Type
}

/** What a printer tells a function about where it stands. */
export interface Site {
  /** Types of the arguments, and of the result. */
  types: readonly Type[]
  type: Type
  /** Arguments that are constants, by position; undefined for those that are not. */
  constants: readonly (Literal | undefined)[]
  /** Writes a value as a bound parameter. */
  bind(value: Literal): string
  /** The project's time zone. */
  zone: Zone
}

/** How moments are moved between UTC, in which they are stored, and the project's time zone. Both take and give SQL for a datetime text. */
export interface Zone {
  name: string
  isUtc: boolean
  toLocal(moment: string): string
  toUtc(local: string): string
}

export interface ScalarFunction extends Signature {
  kind: 'scalar'
  sqlite(args: readonly string[], site: Site): string
  /** Without it: `name(args)`. */
  clickhouse?(args: readonly string[], site: Site): string
}

export interface AggregateSite extends Site {
  params: readonly Literal[]
  distinct: boolean
}

export interface AggregateFunction extends Signature {
  kind: 'aggregate'
  /** How many constants may stand in a first pair of parentheses, and must. */
  params?: { min: number; max: number }
  /** Without the FILTER clause, which the printer adds. `rewrite` where SQLite has no such aggregate and the printer takes it apart. */
  sqlite: ((args: readonly string[], site: AggregateSite) => string) | 'rewrite'
  /** Without it: `name(args)`, with `If` and the filter added by the printer. */
  clickhouse?(args: readonly string[], site: AggregateSite): string
  /** Whether it may stand before OVER. */
  window: boolean
}

/** A function that is only ever used with OVER. */
export interface WindowFunction extends Signature {
  kind: 'window'
  sqlite(args: readonly string[], site: Site): string
  clickhouse?(args: readonly string[], site: Site): string
}

export type FunctionSpec = ScalarFunction | AggregateFunction | WindowFunction
