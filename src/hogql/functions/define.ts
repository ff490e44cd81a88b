// Helpers that define the entries of the catalogue.
import { reject } from '../error'
import type { ScalarKind } from '../types'
import { type Returns, unlessNull } from './return-types'
import type {
  AggregateFunction,
  AggregateSite,
  Expected,
  ScalarFunction,
  Site,
  SqliteAggregateSite,
  SqliteSite,
  WindowFunction,
} from './spec'

type Parameter = Expected | `${Expected}?` | `${Expected}...`

/**
 * The parameters in a text such as `number, integer?, any...`: one with `?` may be left out, and one with `...` stands for any number of
 * them.
 */
type Parameters<Text extends string> = Text extends '' | Parameter
  ? Text
  : Text extends `${Parameter}, ${infer Rest}`
    ? Rest extends Parameters<Rest>
      ? Text
      : never
    : never

/** A template has `$1` for the first argument and `$*` for all of them. */
type Emitter<S extends Site> = string | ((site: S, ...args: string[]) => string)

/** The result's type: a kind stands for its type, which is NULL when an argument is. */
type Result = Returns | ScalarKind

interface Common<S extends Site> {
  clickhouse?: Emitter<S>
}

/**
 * Defines a scalar function.
 * @param names the canonical name and its aliases, separated by spaces
 * @param sqlite the SQL for SQLite; by default, a call of the same name
 */
export const fn = <Takes extends string>(
  names: string,
  takes: Takes & Parameters<Takes>,
  returns: Result,
  sqlite: Emitter<SqliteSite> = CALL,
  {
    clickhouse,
    ...rest
  }: Common<Site> & Partial<Pick<ScalarFunction, 'guarded' | 'mayTakeLambda' | 'constantFrom'>> = {},
): ScalarFunction => ({
  kind: 'scalar',
  ...signature(names, takes, returns),
  ...emitters(names, sqlite, clickhouse),
  ...rest,
})

/** Defines an aggregate, which may stand before OVER by default. */
export const aggregate = <Takes extends string>(
  names: string,
  takes: Takes & Parameters<Takes>,
  returns: Result,
  sqlite: Emitter<SqliteAggregateSite>,
  {
    clickhouse,
    ...rest
  }: Common<AggregateSite> &
    Partial<
      Pick<AggregateFunction, 'params' | 'ranked' | 'window' | 'isDistinct' | 'ofDistinct' | 'keeps'>
    > = {},
): AggregateFunction => ({
  kind: 'aggregate',
  window: true,
  ...signature(names, takes, returns),
  ...emitters(names, sqlite, clickhouse),
  ...rest,
})

/** Defines a function that may only stand before OVER. */
export const windowFunction = <Takes extends string>(
  names: string,
  takes: Takes & Parameters<Takes>,
  returns: Result,
  sqlite: Emitter<SqliteSite> = CALL,
  clickhouse?: Emitter<Site>,
): WindowFunction => ({
  kind: 'window',
  ...signature(names, takes, returns),
  ...emitters(names, sqlite, clickhouse),
})

/**
 * Defines a scalar function of a text that the Worker computes for D1. A condition returns 1 or 0.
 * @param sqlite the SQL for plain constants, which SQLite computes
 */
export function computed<Takes extends string>(
  names: string,
  takes: Takes & Parameters<Takes>,
  returns: Result,
  {
    operand = 0,
    isCondition = false,
    isPlain,
    ofNull,
    sqlite,
    clickhouse,
  }: Partial<NonNullable<ScalarFunction['computed']>> & {
    sqlite?: Emitter<SqliteSite>
  } & Common<Site> = {},
): ScalarFunction {
  const common = signature(names, takes, returns)
  const refused = () =>
    reject(
      null,
      `'${common.name}' needs the ClickHouse engine: the built-in database takes it with constants besides one text, which it reads from the tables of its own SELECT.`,
    )
  const emitter: Emitter<SqliteSite> = (site, ...args) => {
    if (!sqlite || !isPlain?.(site.constants)) return refused()
    return typeof sqlite === 'string' ? fill(sqlite, ...args) : sqlite(site, ...args)
  }
  return {
    kind: 'scalar',
    ...common,
    ...emitters(names, emitter, clickhouse),
    computed: { operand, isCondition, isPlain, ofNull },
  }
}

/** Defines a scalar function that D1 does not have. */
export const onClickhouse = <Takes extends string>(
  names: string,
  takes: Takes & Parameters<Takes>,
  returns: Result,
  clickhouse?: Emitter<Site>,
): ScalarFunction => ({
  onlyClickhouse: true,
  ...fn(names, takes as never, returns, refusalOf(names), { clickhouse }),
})

/** Defines an aggregate that D1 does not have. */
export const aggregateOnClickhouse = <Takes extends string>(
  names: string,
  takes: Takes & Parameters<Takes>,
  returns: Result,
  clickhouse?: Emitter<AggregateSite>,
): AggregateFunction => ({
  onlyClickhouse: true,
  ...aggregate(names, takes as never, returns, refusalOf(names), { clickhouse }),
})

/** Returns a function that throws in place of writing SQL for SQLite. */
const refusalOf = (names: string) => (): never =>
  reject(
    null,
    `'${names.split(' ', 1)[0]}' needs the ClickHouse engine: the built-in database has no equivalent.`,
  )

/** Puts the arguments into a template of SQL. */
export const fill = (template: string, ...args: string[]): string =>
  template.replace(/\$(\d|\*)/g, (_, at: string) =>
    at === '*' ? args.join(', ') : String(args[Number(at) - 1]),
  )

function signature(names: string, takes: string, returns: Result) {
  const [name = '', ...aliases] = names.split(' ')
  const parameters = takes === '' ? [] : takes.split(', ')
  const rest = parameters.find((each) => each.endsWith('...'))?.slice(0, -3)
  const named = parameters.filter((each) => !each.endsWith('...'))
  return {
    name,
    aliases,
    takes: named.map((each) => each.replace('?', '') as Expected),
    optional: named.filter((each) => each.endsWith('?')).length,
    rest: rest as Expected | undefined,
    returns: typeof returns === 'string' ? unlessNull({ kind: returns, nullable: false }) : returns,
  }
}

/** The emitter of the function's own call. */
const CALL = '$0($*)'

function emitters<S extends Site, C extends Site>(
  names: string,
  sqlite: Emitter<S>,
  clickhouse?: Emitter<C>,
) {
  const [name = ''] = names.split(' ')
  const emitter =
    <T extends Site>(emit: Emitter<T>) =>
    (args: readonly string[], site: T): string =>
      typeof emit === 'string' ? fill(emit.replace('$0', name), ...args) : emit(site, ...args)
  return { sqlite: emitter(sqlite), clickhouse: clickhouse === undefined ? undefined : emitter(clickhouse) }
}
