// Choosing between values.
import { INTEGER, nullable, required } from '../types'
import { always, argument, commonType, like } from './returns'
import type { FunctionSpec } from './spec'
import { fit, fitAll, orDefault } from './sqlite-values'

const everySecond = <T>(items: readonly T[]): T[] =>
  items.filter((_, index) => index % 2 === 1 || index === items.length - 1)

export const CONDITIONALS: readonly FunctionSpec[] = [
  {
    kind: 'scalar',
    name: 'if',
    takes: ['condition', 'any', 'any'],
    returns: ([, ...branches]) => commonType(branches),
    sqlite: ([condition, ...branches], { types, type, ...site }) => {
      const [yes, no] = branches.map((branch, index) => fit(branch, argument(types, index + 1), type, site))
      return `iif(${condition}, ${yes}, ${no})`
    },
  },
  {
    kind: 'scalar',
    name: 'multiIf',
    takes: ['condition', 'any', 'any'],
    rest: 'any',
    returns: (args) => commonType(everySecond(args)),
    sqlite: (args, site) => {
      const fitting = fitAll(args, site)
      const branches: string[] = []
      for (let index = 0; index + 1 < args.length; index += 2) {
        branches.push(`WHEN ${args[index]} THEN ${fitting[index + 1]}`)
      }
      return `CASE ${branches.join(' ')} ELSE ${fitting.at(-1)} END`
    },
  },
  {
    kind: 'scalar',
    name: 'coalesce',
    takes: ['any'],
    rest: 'any',
    returns: (args) => {
      const type = commonType(args)
      return args.some((arg) => !arg.nullable) ? required(type) : type
    },
    sqlite: (args, site) => {
      const all = fitAll(args, site)
      return all.length === 1 ? String(all[0]) : `coalesce(${all.join(', ')})`
    },
  },
  {
    kind: 'scalar',
    name: 'ifNull',
    takes: ['any', 'any'],
    returns: (args) => {
      const type = commonType(args)
      return args.some((arg) => !arg.nullable) ? required(type) : type
    },
    // Where it cannot be NULL the database would look all the same: a value that is no number is NULL there.
    sqlite: (args, site) => {
      const [value, otherwise] = fitAll(args, site)
      return argument(site.types, 0).nullable ? `ifnull(${value}, ${otherwise})` : String(value)
    },
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
    name: 'isZeroOrNull',
    takes: ['number'],
    returns: always(INTEGER),
    sqlite: ([value]) => `(ifnull(${value}, 0) = 0)`,
  },
]
