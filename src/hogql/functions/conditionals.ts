// Choosing between values.
import { INTEGER, nullable, required, type Type } from '../types'
import { always, argument, commonType, like, unlessNull } from './returns'
import type { FunctionSpec } from './spec'
import { orDefault } from './sqlite-values'

/** NULL only where all of them may be. */
const ofSome = (args: readonly Type[]): Type => {
  const type = commonType(args)
  return args.some((arg) => !arg.nullable) ? required(type) : type
}

/** SQLite's own gives NULL as soon as one is; ClickHouse leaves it out: here another takes its place. */
function ofKnown(fn: 'max' | 'min', args: readonly string[], types: readonly Type[]): string {
  if (args.length === 1) return String(args[0])
  if (!types.some((type) => type.nullable)) return `${fn}(${args.join(', ')})`
  const turned = args.map(
    (_, turn) => `coalesce(${[...args.slice(turn), ...args.slice(0, turn)].join(', ')})`,
  )
  return `${fn}(${turned.join(', ')})`
}

export const CONDITIONALS: readonly FunctionSpec[] = [
  {
    kind: 'scalar',
    name: 'coalesce',
    takes: ['any'],
    rest: 'any',
    returns: ofSome,
    sqlite: (args) => (args.length === 1 ? String(args[0]) : `coalesce(${args.join(', ')})`),
  },
  {
    kind: 'scalar',
    name: 'ifNull',
    takes: ['any', 'any'],
    returns: ofSome,
    // Where it cannot be NULL the database would look all the same: a value that is no number is NULL there.
    sqlite: ([value, otherwise], { types }) =>
      argument(types, 0).nullable ? `ifnull(${value}, ${otherwise})` : String(value),
  },
  {
    kind: 'scalar',
    name: 'nullIf',
    takes: ['any', 'any'],
    returns: (args) => nullable(argument(args, 0)),
    sqlite: ([value, other]) => `nullif(${value}, ${other})`,
  },
  {
    kind: 'scalar',
    name: 'assumeNotNull',
    takes: ['any'],
    returns: (args) => required(argument(args, 0)),
    sqlite: ([value], { types, type }) =>
      argument(types, 0).nullable ? orDefault(String(value), type) : String(value),
  },
  {
    kind: 'scalar',
    name: 'toNullable',
    takes: ['any'],
    returns: (args) => nullable(argument(args, 0)),
    sqlite: ([value]) => String(value),
  },
  {
    kind: 'scalar',
    name: 'identity',
    aliases: ['materialize'],
    takes: ['any'],
    returns: like(0),
    sqlite: ([value]) => String(value),
  },
  {
    kind: 'scalar',
    name: 'greatest',
    takes: ['any'],
    rest: 'any',
    returns: ofSome,
    sqlite: (args, { types }) => ofKnown('max', args, types),
  },
  {
    kind: 'scalar',
    name: 'least',
    takes: ['any'],
    rest: 'any',
    returns: ofSome,
    sqlite: (args, { types }) => ofKnown('min', args, types),
  },
  {
    kind: 'scalar',
    name: 'xor',
    takes: ['condition', 'condition'],
    returns: unlessNull(INTEGER),
    sqlite: ([one, other]) => `((${one} <> 0) <> (${other} <> 0))`,
  },
  {
    kind: 'scalar',
    name: 'isZeroOrNull',
    takes: ['number'],
    returns: always(INTEGER),
    sqlite: ([value]) => `(ifnull(${value}, 0) = 0)`,
  },
]
