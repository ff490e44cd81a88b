// Expressions of the grammar: mostly of the expected type, so that many compile, and sometimes of any other.
import type { FunctionSpec, Expected } from '../../../src/hogql/functions/spec'
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
import {
  BOOLEAN,
  DATETIME,
  FLOAT,
  INTEGER,
  JSON_DOCUMENT,
  STRING,
  arrayOf,
  DATE,
} from '../../../src/hogql/types'
import type { Type } from '../../../src/hogql/types'
import type { Choices } from './choices'
import { type FuzzKind, KINDS, literal, quoted } from './literals'

/** What an expression can be made of where it stands. */
export interface Site {
  columns: readonly { name: string; kind: FuzzKind }[]
  /** What arguments of aggregates may read, where that is more. */
  aggregated?: Site['columns']
  /** Whether aggregates may stand here, and windows. */
  aggregates: boolean
  windows: boolean
  /** A query in parentheses of one column. */
  subquery(kind: FuzzKind): string
}

const SAMPLES: Readonly<Record<Expected, Type>> = {
  any: INTEGER,
  number: INTEGER,
  condition: INTEGER,
  temporal: DATETIME,
  lambda: INTEGER,
  integer: INTEGER,
  float: FLOAT,
  string: STRING,
  boolean: BOOLEAN,
  datetime: DATETIME,
  date: DATE,
  json: JSON_DOCUMENT,
  array: arrayOf(INTEGER),
}

/** What a function gives, as far as it tells before it has arguments. */
function kindOf(spec: FunctionSpec): FuzzKind {
  try {
    const { kind } = spec.returns(
      spec.takes.map((expected) => SAMPLES[expected]),
      spec.takes.map(() => 'day'),
    )
    switch (kind) {
      case 'integer':
      case 'float':
        return 'number'
      case 'boolean':
        return 'condition'
      case 'null':
        return 'number'
      case 'tuple':
        return 'array'
      case 'string':
      case 'datetime':
      case 'date':
      case 'array':
      case 'json':
        return kind
    }
  } catch {
    return 'string'
  }
}

const byKind = (wanted: FunctionSpec['kind'][]): ReadonlyMap<FuzzKind, readonly FunctionSpec[]> =>
  Map.groupBy(
    FUNCTIONS.filter(({ kind }) => wanted.includes(kind)),
    kindOf,
  )
const SCALARS = byKind(['scalar'])
const AGGREGATES = byKind(['aggregate'])
const WINDOWS = byKind(['window', 'aggregate'])

/** The kind that an argument should have. */
function kindFor(choices: Choices, expected: Expected): FuzzKind {
  switch (expected) {
    case 'any':
      return choices.of(['number', 'string', 'datetime', 'array', 'condition'])
    case 'number':
    case 'integer':
    case 'float':
      return 'number'
    case 'condition':
    case 'boolean':
      return 'condition'
    case 'temporal':
      return choices.of(['datetime', 'date'])
    case 'lambda':
      return 'number'
    case 'string':
    case 'datetime':
    case 'date':
    case 'json':
    case 'array':
      return expected
  }
}

function argumentsOf(choices: Choices, spec: FunctionSpec, site: Site, depth: number): string {
  const least = spec.takes.length - (spec.optional ?? 0)
  const most = spec.takes.length + (spec.rest ? 2 : 0) + (choices.rarely(30) ? 1 : 0)
  const count = choices.rarely(40) ? choices.below(5) : least + choices.below(Math.max(1, most - least + 1))
  return Array.from({ length: count }, (_, at) => {
    const expected = spec.takes[at] ?? spec.rest ?? 'any'
    if (expected === 'lambda' && !choices.rarely(20)) return lambda(choices, site, depth)
    return expression(choices, kindFor(choices, expected), site, depth)
  }).join(', ')
}

function lambda(choices: Choices, site: Site, depth: number): string {
  const name = choices.of(['x', 'y', 'event', 'c0', 'value'])
  const kind = choices.of<FuzzKind>(['number', 'string', 'condition'])
  const inside = { ...site, aggregates: false, windows: false, columns: [{ name, kind }, ...site.columns] }
  return `${name} -> ${expression(choices, choices.of(['condition', 'number', 'string']), inside, depth)}`
}

const call = (
  choices: Choices,
  specs: readonly FunctionSpec[] | undefined,
  site: Site,
  depth: number,
): string | null => {
  if (!specs?.length) return null
  const spec = choices.of(specs)
  const name = choices.rarely(6) && spec.aliases?.length ? choices.of(spec.aliases) : spec.name
  return `${name}(${argumentsOf(choices, spec, site, depth)})`
}

function aggregate(choices: Choices, kind: FuzzKind, site: Site, depth: number): string | null {
  const specs = AGGREGATES.get(kind)
  if (!specs?.length) return null
  const inside = {
    ...site,
    columns: site.aggregated ?? site.columns,
    aggregates: choices.rarely(60),
    windows: false,
  }
  const spec = choices.of(specs)
  if (spec.kind !== 'aggregate') return null
  const params = spec.params
    ? `(${choices.many(Math.max(1, spec.params.min), Math.max(1, Math.min(3, spec.params.max)), () => choices.of(['0.5', '0.9', '2', '-1'])).join(', ')})`
    : ''
  const distinct = choices.rarely(10) ? 'DISTINCT ' : ''
  const args = argumentsOf(choices, spec, inside, depth)
  const condition = choices.rarely(4) ? expression(choices, 'condition', inside, depth) : null
  const name = condition === null ? spec.name : `${spec.name}If`
  return `${name}${params}(${distinct}${[args, condition].filter((part) => part).join(', ')})`
}

function windowed(choices: Choices, kind: FuzzKind, site: Site, depth: number): string | null {
  const inside = { ...site, windows: false }
  const text = call(choices, WINDOWS.get(kind), inside, depth)
  if (text === null) return null
  const partition = choices.rarely(3) ? `PARTITION BY ${expression(choices, 'string', inside, depth)}` : ''
  const order = choices.rarely(3)
    ? ''
    : `ORDER BY ${expression(choices, choices.of(KINDS), inside, depth)} ${choices.of(['ASC', 'DESC'])}`
  const frame = choices.rarely(3)
    ? choices.of([
        'ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
        'ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING',
        'RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
        'ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
      ])
    : ''
  return `${text} OVER (${[partition, order, frame].filter((part) => part).join(' ')})`
}

const OPERATORS: Readonly<Record<'number' | 'compare' | 'like', readonly string[]>> = {
  number: ['+', '-', '*', '/', '%'],
  compare: ['=', '!=', '<', '>=', '<=', '>', '<>', '=='],
  like: ['LIKE', 'ILIKE', 'NOT LIKE', 'NOT ILIKE', '=~'],
}

function operation(choices: Choices, kind: FuzzKind, site: Site, depth: number): string | null {
  const of = (wanted: FuzzKind) => expression(choices, wanted, site, depth)
  switch (kind) {
    case 'number':
      return choices.rarely(6)
        ? `-(${of('number')})`
        : `(${of('number')} ${choices.of(OPERATORS.number)} ${of('number')})`
    case 'string':
      return `(${of('string')} || ${of('string')})`
    case 'condition':
      return conditionOf(choices, of, site)
    case 'datetime':
    case 'date':
      return `(${of(kind)} ${choices.of(['+', '-'])} INTERVAL ${choices.of(['1', '30', '-2', '1000000'])} ${choices.of(['DAY', 'MONTH', 'HOUR', 'WEEK', 'YEAR', 'SECOND', 'QUARTER'])})`
    case 'array':
      return `[${choices.many(0, 3, () => of(choices.of(['number', 'string']))).join(', ')}]`
    case 'json':
      return null
  }
}

function conditionOf(choices: Choices, of: (kind: FuzzKind) => string, site: Site): string {
  const kind = choices.of<FuzzKind>(['string', 'number', 'datetime', 'date'])
  switch (choices.below(9)) {
    case 0:
      return `(${of(kind)} ${choices.of(OPERATORS.compare)} ${of(kind)})`
    case 1:
      return `(${of('condition')} ${choices.of(['AND', 'OR'])} ${of('condition')})`
    case 2:
      return `NOT (${of('condition')})`
    case 3:
      return `(${of('string')} ${choices.of(OPERATORS.like)} ${of('string')})`
    case 4:
      return `(${of(kind)} ${choices.of(['IN', 'NOT IN'])} (${choices.many(1, 4, () => of(kind)).join(', ')}))`
    case 5:
      return `(${of(kind)} IS ${choices.of(['', 'NOT '])}NULL)`
    case 6:
      return `(${of(kind)} ${choices.of(['', 'NOT '])}BETWEEN ${of(kind)} AND ${of(kind)})`
    case 7:
      return `(${of(kind)} ${choices.of(['IN', 'NOT IN'])} ${site.subquery(kind)})`
    default:
      return `EXISTS ${site.subquery(kind)}`
  }
}

/** A document of properties, where there is one. */
const documentOf = (choices: Choices, site: Site): string => {
  const documents = site.columns.filter(({ kind }) => kind === 'json')
  return documents.length ? choices.of(documents).name : 'events.properties'
}

/** An expression, mostly of the kind. */
export function expression(choices: Choices, due: FuzzKind, site: Site, depth: number): string {
  const kind = choices.rarely(25) ? choices.of(KINDS) : due
  const leaf = () => {
    const columns = site.columns.filter((column) => column.kind === kind)
    return columns.length && !choices.rarely(3) ? choices.of(columns).name : literal(choices, kind)
  }
  if (depth <= 0 || choices.spent) return leaf()
  const of = (wanted: FuzzKind) => expression(choices, wanted, site, depth - 1)
  switch (choices.below(13)) {
    case 0:
    case 1:
      return leaf()
    case 2:
    case 3:
    case 4:
      return call(choices, SCALARS.get(kind), site, depth - 1) ?? leaf()
    case 5:
    case 6:
      return operation(choices, kind, site, depth - 1) ?? leaf()
    case 7:
      return site.aggregates ? (aggregate(choices, kind, site, depth - 1) ?? leaf()) : leaf()
    case 8:
      return site.windows ? (windowed(choices, kind, site, depth - 1) ?? leaf()) : leaf()
    case 9:
      return choices.of([
        `if(${of('condition')}, ${of(kind)}, ${of(kind)})`,
        `CASE WHEN ${of('condition')} THEN ${of(kind)} ELSE ${of(kind)} END`,
        `multiIf(${of('condition')}, ${of(kind)}, ${of('condition')}, ${of(kind)}, ${of(kind)})`,
        `(${of('condition')} ? ${of(kind)} : ${of(kind)})`,
        `coalesce(${of(kind)}, ${of(kind)})`,
      ])
    case 10:
      return site.subquery(kind)
    case 11:
      return choices.of([
        `${of('array')}[${choices.of(['1', '2', '-1', '0'])}]`,
        `(${of(kind)}, ${of('string')}).1`,
        `${documentOf(choices, site)}[${quoted(choices.of(['a', '"', "'", '$."x"', 'nested']))}]`,
      ])
    default:
      return kind === 'string'
        ? '{variables.text}'
        : kind === 'number'
          ? '{variables.number}'
          : kind === 'array'
            ? '{variables.list}'
            : '{variables.moment}'
  }
}
