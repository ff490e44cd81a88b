// An entry of the catalogue: what it takes, its result's type, and its SQL for each engine.
import type { Type, Kind } from '../types'
import type { Literal } from '../ir'

/**
 * The type to which an argument is converted: an integer to a float, a property's text to a number, a constant text to a datetime. The
 * resolver rejects other arguments. `condition` is anything true or false, `temporal` a date or datetime.
 */
export type Expected =
  | 'any'
  | 'number'
  | 'condition'
  | 'temporal'
  | 'lambda'
  | Exclude<Kind, 'null' | 'tuple'>

/** Values of constant arguments by position, or undefined for others. */
export type Constants = readonly (Literal | undefined)[]

export interface Signature {
  /** D1 does not have it. */
  onlyClickhouse?: true
  /** Canonical; names and aliases are found in any case. */
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
   * The result's type, NULL included; of a lambda, `args` has the type of its body.
   * @throws HogqlError for a constant that it does not accept
   */
  returns(args: readonly Type[], constants: Constants): Type
}

/** A call as the printer sees it. */
export interface Site {
  /** Types of the arguments, and of the result. */
  types: readonly Type[]
  type: Type
  constants: Constants
  /** SQL of a value as a bound parameter. */
  bind(value: Literal): string
  /** The project's time zone. */
  zone: Zone
}

/** Converts SQL of a datetime text between UTC, in which they are stored, and a time zone. */
export interface Zone {
  name: string
  isUtc: boolean
  toLocal(utc: string): string
  /** The first of two instants with this local time; a skipped local time counts as already put forward. */
  toUtc(local: string): string
}

export interface SqliteZone extends Zone {
  /** Whether all its offsets are whole hours. */
  wholeHours: boolean
  /** The local date. */
  toDay(utc: string): string
  /** The instant at which a local day or hour begins, also where its first local time is skipped. */
  startToUtc(local: string): string
}

export interface SqliteSite extends Site {
  zone: SqliteZone
  /** Binds a value that the written SQL reads several times. */
  once(sql: string, write: (value: string) => string): string
  /** The project's zone for an argument, a constant or a column. */
  zoneOf(index: number): SqliteZone
  /** Returns a zone by its IANA name. @throws HogqlError for an unknown one */
  zoneNamed(name: string): SqliteZone
  /** The table alias of each parameter of a lambda, whose `value` is the element. */
  parameters: readonly string[]
}

export interface ScalarFunction extends Signature {
  kind: 'scalar'
  /** The printer makes the result NULL when an argument is: the SQL for SQLite does not. */
  guarded?: true
  /**
   * SQLite has no equivalent: the Worker computes it of the texts that the query reads, where its other arguments are constant
   * (`computed/compute.ts`).
   */
  computed?: {
    /** The argument that is not constant. */
    operand: number
    /** Whether it gives 1 or 0. */
    isCondition: boolean
    /** Whether SQLite computes it where its other arguments are these. */
    isPlain?(constants: Constants): boolean
  }
  /** Its arguments from this place on, counted from 0, are read when the query is compiled: modes, formats, time zones. */
  constantFrom?: number
  /** Its lambda, or each element of its array, is a condition: for ClickHouse, 1 or 0. */
  takesCondition?: true
  /** @throws HogqlError when SQLite has no equivalent */
  sqlite(args: readonly string[], site: SqliteSite): string
  /** SQL for ClickHouse. The default is `name(args)`. */
  clickhouse?(args: readonly string[], site: Site): string
}

export interface AggregateSite extends Site {
  params: readonly Literal[]
  distinct: boolean
}

export interface SqliteAggregateSite extends SqliteSite {
  params: readonly Literal[]
  distinct: boolean
  /** Adds FILTER, of the query's condition and this one, and OVER to an aggregate call. */
  apply(call: string, condition?: string): string
  /** The row's place (from 1) among the rows that it is ranked with, and their count; only for a `ranked` function, the count where it says so. */
  rank: { place: string; count: string }
}

/**
 * How the rows of a group are ranked: in the order of an argument, in the order in which they are read, or each with those that have the same
 * argument. Rows where any argument is NULL do not count.
 */
export type Ranking = ({ by: number; descending: boolean } | { by: 'reading' } | { amongEqual: number }) & {
  /** Whether the number of rows is read besides the place. To count them, SQLite holds all rows of a group at once. */
  counted?: true
}

export interface AggregateFunction extends Signature {
  kind: 'aggregate'
  /** How many constants the first pair of parentheses takes. */
  params?: { min: number; max: number }
  sqlite(args: readonly string[], site: SqliteAggregateSite): string
  /** Returns how SQLite has to rank the rows first, or null. A function that is ranked cannot stand before OVER. */
  ranked?(types: readonly Type[], call: Pick<AggregateSite, 'params' | 'distinct'>): Ranking | null
  /** SQL for ClickHouse. The default is `name(args)`, to which the printer adds `If` and the filter. */
  clickhouse?(args: readonly string[], site: AggregateSite): string
  /** Whether it may stand before OVER. */
  window: boolean
  /** Whether it may have DISTINCT: it applies it, or gives the same result without it. */
  ofDistinct?: boolean
  /** Whether its SQL for SQLite has DISTINCT, which SQLite rejects before OVER. */
  isDistinct?: boolean
  /**
   * For a function that collects values and returns some of them: how many values it keeps (null means all), and its SQL for SQLite over
   * the collected array and that number.
   */
  keeps?: {
    count(params: readonly Literal[]): number | null
    /** The type of the collected array, where it is not the result's. */
    gathered?(args: readonly Type[]): Type
    sqlite(args: readonly string[], site: SqliteSite): string
  }
}

/** A function that only stands before OVER. */
export interface WindowFunction extends Signature {
  kind: 'window'
  /** The call, without its OVER. */
  sqlite(args: readonly string[], site: SqliteSite): string
  clickhouse?(args: readonly string[], site: Site): string
}

export type FunctionSpec = ScalarFunction | AggregateFunction | WindowFunction
