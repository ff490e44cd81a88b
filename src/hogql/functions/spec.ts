// An entry of the catalogue: its parameters, its result's type, and its SQL for each engine.
import type { Type, Kind } from '../types'
import type { Literal } from '../ir'

/**
 * The type to which an argument is converted: an integer to a float, a property's text to a number, a constant text to a datetime. The
 * resolver rejects other arguments. `condition` is anything true or false, and `temporal` a date or datetime.
 */
export type Expected =
  | 'any'
  | 'number'
  | 'condition'
  | 'temporal'
  | 'lambda'
  | Exclude<Kind, 'null' | 'tuple'>

/** Values of constant arguments by position, and undefined for others. */
export type Constants = readonly (Literal | undefined)[]

export interface Signature {
  /** Set when D1 does not have the function. */
  onlyClickhouse?: true
  /** The canonical name. Names and aliases are found in any case. */
  name: string
  aliases?: readonly string[]
  takes: readonly Expected[]
  /** How many of `takes`, from the end, may be left out. */
  optional?: number
  /** The type to which further arguments are converted. Without it there are none. */
  rest?: Expected
  /** Whether a lambda may come first. */
  mayTakeLambda?: true
  /**
   * Returns the result's type, including whether it may be NULL. In `args`, a lambda has the type of its body.
   * @throws HogqlError for a constant that the function does not accept
   */
  returns(args: readonly Type[], constants: Constants): Type
}

/** A call as the printer sees it. */
export interface Site {
  /** The types of the arguments, and of the result. */
  types: readonly Type[]
  type: Type
  constants: Constants
  /** Returns SQL of a value as a bound parameter. */
  bind(value: Literal): string
  /** The project's time zone. */
  zone: Zone
}

/** Converts SQL of a datetime's text between UTC, in which datetimes are stored, and a time zone. */
export interface Zone {
  name: string
  isUtc: boolean
  toLocal(utc: string): string
  /** Returns the first of two instants with this local time; a local time that clocks skip counts as already put forward. */
  toUtc(local: string): string
}

export interface SqliteZone extends Zone {
  /** Whether all offsets of the zone are whole hours. */
  wholeHours: boolean
  /** Returns the local date. */
  toDay(utc: string): string
  /** Returns the instant at which a local day or hour begins, also when clocks skip its first local time. */
  startToUtc(local: string): string
}

export interface SqliteSite extends Site {
  zone: SqliteZone
  /** Binds a value that the written SQL reads several times. */
  once(sql: string, write: (value: string) => string): string
  /** Returns the time zone of an argument: its own, or the project's. */
  zoneOf(index: number): SqliteZone
  /**
   * Returns a zone by its IANA name.
   * @throws HogqlError for an unknown one
   */
  zoneNamed(name: string): SqliteZone
  /** The table alias of each parameter of a lambda, whose `value` is the element. */
  parameters: readonly string[]
}

export interface ScalarFunction extends Signature {
  kind: 'scalar'
  /** Whether the printer makes the result NULL when an argument is, because the SQL for SQLite does not. */
  guarded?: true
  /**
   * Set when SQLite has no equivalent: the Worker then computes the function for the texts that the query reads, if its other arguments are
   * constant (`computed/compute.ts`).
   */
  computed?: {
    /** The index of the argument that is not constant. */
    operand: number
    /** Whether the function returns 1 or 0. */
    isCondition: boolean
    /** Returns whether SQLite computes the function when its other arguments are these. */
    isPlain?(constants: Constants): boolean
    /** The result for NULL, if it is not NULL. */
    ofNull?: Literal
  }
  /** The index from which arguments are read when the query is compiled, such as modes, formats and time zones. */
  constantFrom?: number
  /** Whether its lambda, or each element of its array, is a condition, which must be 1 or 0 for ClickHouse. */
  takesCondition?: true
  /** @throws HogqlError when SQLite has no equivalent */
  sqlite(args: readonly string[], site: SqliteSite): string
  /** SQL for ClickHouse. The default is `name(args)`. */
  clickhouse?(args: readonly string[], site: Site): string
}

export interface AggregateSite extends Site {
  params: readonly Literal[]
  distinct: boolean
  /** Adds FILTER and OVER to an aggregate call that stands inside others. */
  apply(call: string): string
}

export interface SqliteAggregateSite extends SqliteSite {
  params: readonly Literal[]
  distinct: boolean
  /** Adds FILTER, of the query's condition and this one, and OVER to an aggregate call. */
  apply(call: string, condition?: string): string
  /**
   * The position of the row, from 1, among the rows that it is ranked with, and their number. It is only for a `ranked` function, and the
   * number only if `counted` is set.
   */
  rank: { place: string; count: string }
}

/**
 * How the rows of a group are ranked: in the order of an argument, in the order in which they are read, or each with those that have the
 * same argument. Rows in which any argument is NULL do not count.
 */
export type Ranking = ({ by: number; descending: boolean } | { by: 'reading' } | { amongEqual: number }) & {
  /** Whether the function reads the number of rows as well as the position. To count them, SQLite holds all rows of a group at once. */
  counted?: true
}

export interface AggregateFunction extends Signature {
  kind: 'aggregate'
  /** How many constants the first pair of parentheses may have. */
  params?: { min: number; max: number }
  sqlite(args: readonly string[], site: SqliteAggregateSite): string
  /** Returns how SQLite has to rank the rows first, or null. A ranked function cannot stand before OVER. */
  ranked?(types: readonly Type[], call: Pick<AggregateSite, 'params' | 'distinct'>): Ranking | null
  /** SQL for ClickHouse. The default is `name(args)`. The printer adds FILTER and OVER at its end, unless `apply` has added them. */
  clickhouse?(args: readonly string[], site: AggregateSite): string
  /** Whether the function may stand before OVER. */
  window: boolean
  /** Whether the function may have DISTINCT: it applies DISTINCT, or its result is the same without. */
  ofDistinct?: boolean
  /** Whether the SQL for SQLite has DISTINCT, which SQLite rejects before OVER. */
  isDistinct?: boolean
  /**
   * For a function that collects values and returns some of them: how many values it returns (null means all), and its SQL for SQLite over
   * the collected array and that number.
   */
  keeps?: {
    count(params: readonly Literal[]): number | null
    /** The type of the collected array, if it is not that of the result. */
    gathered?(args: readonly Type[]): Type
    sqlite(args: readonly string[], site: SqliteSite): string
  }
}

/** A function that may only stand before OVER. */
export interface WindowFunction extends Signature {
  kind: 'window'
  /** Writes the call without its OVER. */
  sqlite(args: readonly string[], site: SqliteSite): string
  clickhouse?(args: readonly string[], site: Site): string
}

export type FunctionSpec = ScalarFunction | AggregateFunction | WindowFunction
