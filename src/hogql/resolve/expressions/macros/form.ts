// Defines functions that are written with other functions.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { any, branch, call, isNull, literalOf, NULL_LITERAL } from '../../../ir-build'
import type { Call, Expression } from '../../../parser/ast'
import { INTEGER, nullable, type Type } from '../../../types'
import type { Resolution } from '../../context/resolution'
import type { Scope } from '../../context/scope'
import { convertOrReject } from '../../types/convert'

export type Form = (r: Resolution, node: Call, args: readonly Expression[], scope: Scope) => Expr
type Build = (r: Resolution, node: Call, ...args: Expr[]) => Expr

export interface Macro {
  /** The names in the letter case of the documentation. */
  names: readonly string[]
  /** The names of the arguments; `?` marks one that may be left out. */
  takes: string
  form: Form
}

/**
 * Defines a function of resolved arguments.
 * @param names separated by spaces
 */
export function macro(names: string, takes: string, build: Build): Macro {
  const parameters = takes.split(', ')
  return {
    names: names.split(' '),
    takes,
    form: (r, node, args, scope) => {
      requireArguments(node, parameters)
      return build(r, node, ...args.map((arg) => r.expr(arg, scope)))
    },
  }
}

function requireArguments(node: Call, parameters: readonly string[]): void {
  const [most, got] = [parameters.length, node.args.length]
  const least = parameters.filter((parameter) => !parameter.endsWith('?')).length
  if (got >= least && got <= most) return
  const range = least === most ? `${least}` : `${least} to ${most}`
  reject(
    node,
    `Function '${node.name}' takes ${range} argument${range === '1' ? '' : 's'}, and got ${got}`,
    'invalid_query',
  )
}

/**
 * Defines a function that other calls express.
 * @param write makes the call; `called` makes one inside it
 */
export function rewritten(
  names: string,
  takes: string,
  write: (called: (name: string, ...args: Expression[]) => Call, ...args: Expression[]) => Call,
): Macro {
  const parameters = takes.split(', ')
  return {
    names: names.split(' '),
    takes,
    form: (r, node, args, scope) => {
      requireArguments(node, parameters)
      return r.expr(
        write((name, ...inner) => ({ ...node, name, args: inner }), ...args),
        scope,
      )
    },
  }
}

/** Returns the items of an array that is written out. */
export function itemsOf(node: Call, array: Expr, what: string): Expr[] {
  return array.node === 'array'
    ? array.items
    : reject(node, `'${node.name}' takes ${what} as an array of constants: ['a', 'b']`, 'invalid_query')
}

/** Converts an argument to a number, a text or a date. */
export function asKind(
  r: Resolution,
  node: Call,
  expr: Expr,
  kind: 'integer' | 'float' | 'number' | 'string' | 'temporal' | 'json',
): Expr {
  return convertOrReject(r, expr, kind, node, `Function '${node.name}' takes a ${kind}`)
}

/** Makes a result NULL where one of some values is. */
export function unlessNull(r: Resolution, node: Call, values: readonly Expr[], result: Expr): Expr {
  const [first, ...rest] = values
    .filter(({ type }) => type.nullable)
    .map((value) => isNull(r.reuse(value, node)))
  if (first === undefined) return result
  const branches = [branch(any([first, ...rest]), NULL_LITERAL)]
  return { node: 'case', branches, otherwise: result, type: nullable(result.type) }
}

/** Returns the text of a constant argument. */
export function constantText(node: Call, expr: Expr, what: string): string {
  const value = literalOf(expr)
  return typeof value === 'string'
    ? value
    : reject(node, `Function '${node.name}' takes ${what} as a constant text`, 'invalid_query')
}

export const calculated = (op: '+' | '-' | '*', left: Expr, right: Expr, type: Type = INTEGER): Expr => ({
  node: 'arithmetic',
  op,
  left,
  right,
  type: left.type.nullable || right.type.nullable ? nullable(type) : type,
})

/** Makes a lambda of one parameter. */
export function lambdaOf(r: Resolution, of: Type, build: (element: Expr) => Expr): Expr {
  const parameter = r.nextId()
  const body = build({ node: 'element', parameter, type: of })
  return { node: 'lambda', parameters: [parameter], body, type: body.type }
}

/** Makes an array of a function's results for each element. */
export const mapped = (r: Resolution, array: Expr, build: (element: Expr) => Expr): Expr =>
  call('arrayMap', lambdaOf(r, array.type.kind === 'array' ? array.type.of : array.type, build), array)
