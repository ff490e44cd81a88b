// What a function of the catalogue is: one literal that says what it takes, what it gives, and how each engine writes it.
import type { Type, Kind } from '../types'
import type { Literal } from '../ir'

/**
 * What an argument is taken as. The resolver converts what can be converted without a doubt (an integer where a float is due, a property's
 * text where a number is due, a text constant where a moment is due) and refuses the rest. `condition` is anything that is true or false.
 */
export type Expected = 'any' | 'number' | 'condition' | 'moment' | 'lambda' | Exclude<Kind, 'null' | 'tuple'>

/** Arguments that are constants, by position; undefined for those that are not. */
export type Constants = readonly (Literal | undefined)[]

interface Signature {
  /** Canonical name. HogQL's other spellings are in `aliases`; all of them are found whatever their case. */
  name: string
  aliases?: readonly string[]
  takes: readonly Expected[]
  /** How many of `takes`, from the end, may be left out. */
  optional?: number
  /** What further arguments are taken as; without it there are none. */
  rest?: Expected
  /** Whether a lambda may stand before all of these. */
  mayTakeLambda?: true
  /**
   * The type of what it gives; of a lambda, `args` has the type of its body. NULL in, NULL out is the function's own business: it says so
   * here.
   * @throws HogqlError where it tells no type: a constant that it cannot do with
   */
  returns(args: readonly Type[], constants: Constants): Type
}

/** What a printer tells a function about where it stands. */
export interface Site {
  /** Types of the arguments, and of the result. */
  types: readonly Type[]
  type: Type
  constants: Constants
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
  /** The moment when the clocks show this: of two the first. A time that they skip is read as if they had been put forward already. */
  toUtc(local: string): string
}

export interface SqliteZone extends Zone {
  /** Whether its clocks only ever differ from UTC by whole hours. */
  wholeHours: boolean
  /** The day that a moment is in. */
  toDay(moment: string): string
  /** The moment when the clocks show this, or skip it: when a day or an hour begins. */
  startToUtc(local: string): string
}

export interface SqliteSite extends Site {
  zone: SqliteZone
  /** Writes something that reads a value several times without writing it several times. */
  once(sql: string, write: (value: string) => string): string
  /** The project's time zone for what is computed of one argument alone. */
  zoneOf(index: number): SqliteZone
  /** Another time zone, by its IANA name. @throws HogqlError when there is none of that name */
  zoneNamed(name: string): SqliteZone
  /** Of a function that takes a lambda: the table-valued alias for each parameter, whose `value` is the element. */
  parameters: readonly string[]
}

export interface ScalarFunction extends Signature {
  kind: 'scalar'
  /** That NULL in is NULL out, which its SQL for SQLite does not see to: the printer does. */
  guarded?: true
  /** @throws HogqlError when SQLite has nothing of the kind */
  sqlite(args: readonly string[], site: SqliteSite): string
  /** Without it: `name(args)`. */
  clickhouse?(args: readonly string[], site: Site): string
}

export interface AggregateSite extends Site {
  params: readonly Literal[]
  distinct: boolean
}

export interface SqliteAggregateSite extends SqliteSite {
  params: readonly Literal[]
  distinct: boolean
  /** Gives an aggregate call its FILTER, of the query's condition and this one, and its OVER. */
  apply(call: string, condition?: string): string
  /** The row's place among those of its group that count (from 1), and how many they are; only for a function that is `ranked`. */
  rank: { place: string; count: string }
}

/** That an aggregate needs its rows in order: which argument orders them. Rows where any argument is NULL do not count. */
export interface Ranking {
  by: number
  descending: boolean
}

export interface AggregateFunction extends Signature {
  kind: 'aggregate'
  /** How many constants may stand in a first pair of parentheses, and must. */
  params?: { min: number; max: number }
  sqlite(args: readonly string[], site: SqliteAggregateSite): string
  /** Whether SQLite has to put the rows in order first; never before OVER. */
  ranked?(types: readonly Type[]): Ranking | null
  /** Without it: `name(args)`, with `If` and the filter added by the printer. */
  clickhouse?(args: readonly string[], site: AggregateSite): string
  /** Whether it may stand before OVER. */
  window: boolean
  /** Whether its SQL for SQLite has DISTINCT, which SQLite takes nowhere before OVER. */
  isDistinct?: boolean
  /** Of a function that gathers values and keeps some: how many, null for all, and its SQL for SQLite over the array of all and their number. */
  keeps?: {
    count(params: readonly Literal[]): number | null
    sqlite(args: readonly string[], site: SqliteSite): string
  }
}

/** A function that is only ever used with OVER. */
export interface WindowFunction extends Signature {
  kind: 'window'
  /** The call, without its OVER. */
  sqlite(args: readonly string[], site: SqliteSite): string
  clickhouse?(args: readonly string[], site: Site): string
}

export type FunctionSpec = ScalarFunction | AggregateFunction | WindowFunction
