// Resolves the number and types of a call's arguments, and its result type.
import type { Scope } from '../context/scope'
import type { Resolution } from '../context/resolution'
import type { Expression, Located } from '../../parser/ast'
import { contains, containsWindow } from '../../ir-walk'
import type { Expr } from '../../ir'
import { reject, HogqlError } from '../../error'
import { FUNCTIONS } from '../../functions/catalogue'
import type { Expected, FunctionSpec } from '../../functions/spec'
import { closestTo } from '../../suggest'
import { databaseTypeOf, hasState, inZoneOf, UNITS, type Type } from '../../types'
import { literalOf, text } from '../../ir-build'
import { convert, convertOrReject } from '../types/convert'
import { reconcileArrays, reconcileElements } from '../types/reconcile'
import { conversionHint, expectedName, noCommonType } from '../types/type-names'
import { unify } from '../types/unify'
import { insteadOf } from './unavailable'

/** Converts arguments to the types of a function's parameters. Lambdas come last, because the arrays determine their parameters' types. */
export function resolveArguments(
  r: Resolution,
  node: Located,
  catalogued: FunctionSpec,
  args: readonly Expression[],
  scope: Scope,
): Expr[] {
  const spec = withLambda(catalogued, args)
  checkCount(node, spec, args.length)
  const plain = args.map((arg, index) => {
    const expected = expectedAt(spec, index)
    if (expected === 'lambda' || arg.node === 'Lambda') return undefined
    const unit = index === 0 ? bareUnit(spec, arg) : undefined
    return unit ?? convertArgument(r, spec, index, r.expr(arg, scope), arg)
  })
  const arrays = plain.filter((expr) => expr !== undefined)
  const all = args.map((arg, index) => {
    const known = plain[index]
    if (known !== undefined) return known
    if (arg.node !== 'Lambda' || expectedAt(spec, index) !== 'lambda') {
      const place = arg.node === 'Lambda' ? 'no lambda' : 'a lambda'
      return reject(
        arg,
        `Function '${spec.name}' takes ${place} as its ${ordinal(index)} argument`,
        'type_mismatch',
      )
    }
    return bindLambda(r, arg, arrays, scope)
  })
  return unifyArguments(r, node, spec, all)
}

/** Allows several arrays for a lambda of several parameters. */
function withLambda<Spec extends FunctionSpec>(spec: Spec, [first]: readonly Expression[]): Spec {
  if (!spec.mayTakeLambda) return spec
  return first?.node === 'Lambda'
    ? { ...spec, takes: ['lambda', ...spec.takes] }
    : { ...spec, rest: undefined }
}

const TAKE_UNITS = new Set(['dateDiff', 'dateTrunc', 'age', 'timeDiff'])

/** Reads the unit of `dateDiff(day, …)`, which is a bare word. */
function bareUnit({ name }: FunctionSpec, node: Expression): Expr | undefined {
  if (!TAKE_UNITS.has(name) || node.node !== 'Field' || node.chain.length !== 1) return undefined
  const written = String(node.chain[0]).toLowerCase()
  return UNITS.some((unit) => unit === written) ? text(written) : undefined
}

function checkCount(node: Located, { name, takes, optional = 0, rest }: FunctionSpec, count: number): void {
  const least = takes.length - optional
  if (count >= least && (rest !== undefined || count <= takes.length)) return
  const range =
    rest === undefined ? (optional > 0 ? `${least} to ${takes.length}` : `${least}`) : `at least ${least}`
  const noun = range === '1' ? 'argument' : 'arguments'
  reject(node, `Function '${name}' takes ${range} ${noun}, and got ${count}`, 'invalid_query')
}

const expectedAt = ({ takes, rest }: FunctionSpec, index: number): Expected => takes[index] ?? rest ?? 'any'

function convertArgument(r: Resolution, spec: FunctionSpec, index: number, expr: Expr, node: Located): Expr {
  if (hasState(expr.type) && !spec.name.endsWith('Merge'))
    reject(node, `Function '${spec.name}' takes no state: read it with …Merge(…)`, 'type_mismatch')
  const expected = expectedAt(spec, index)
  if (expected === 'any' || expected === 'lambda') return expr
  const message = `Function '${spec.name}' takes ${expectedName(expected)} as its ${ordinal(index)} argument`
  return convertOrReject(r, expr, expected, node, message)
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
export const ordinal = (index: number): string => ORDINALS[index] ?? `${index + 1}th`

const isAny = () => true
const isNoOffset = (index: number) => index !== 1

/** Functions that return one of their arguments, with a test for these arguments, which must have one type. */
const UNIFYING: ReadonlyMap<string, (index: number) => boolean> = new Map([
  ['coalesce', isAny],
  ['ifNull', isAny],
  ['nullIf', isAny],
  ['greatest', isAny],
  ['least', isAny],
  ['lag', isNoOffset],
  ['lead', isNoOffset],
  ['lagInFrame', isNoOffset],
  ['leadInFrame', isNoOffset],
])

function unifyArguments(r: Resolution, node: Located, spec: FunctionSpec, args: Expr[]): Expr[] {
  const { timezone } = r.context
  if (spec.name === 'arrayPushBack' || spec.name === 'arrayPushFront') return withElement(args, timezone)
  if (SEARCHES.has(spec.name)) return comparableArguments(node, spec, args, timezone)
  const isChosen = UNIFYING.get(spec.name)
  if (!isChosen) return args
  const unified = unify(
    args.filter((_, index) => isChosen(index)),
    timezone,
  )
  if (unified === undefined) {
    reject(node, noCommonType(`the arguments of '${spec.name}'`, args), 'type_mismatch')
  }
  const exprs = unified.exprs.values()
  return args.map((arg, index) => (isChosen(index) ? (exprs.next().value ?? arg) : arg))
}

/** Functions that compare the elements of an array with a value, or with those of another array. */
const SEARCHES: ReadonlySet<string> = new Set([
  'has',
  'indexOf',
  'countEqual',
  'hasAny',
  'hasAll',
  'arrayIntersect',
])

function comparableArguments(node: Located, spec: FunctionSpec, args: Expr[], timezone: string): Expr[] {
  if (spec.takes[1] === 'array') return reconcileArrays(args, timezone) ?? rejectElements(node, spec, args)
  const found = reconcileElements(args[1]!, args[0]!, timezone)
  return found ? [found[1], found[0]] : rejectElements(node, spec, args)
}

function rejectElements(node: Located, { name }: FunctionSpec, args: readonly Expr[]): never {
  const kinds = args.map(({ type }) => databaseTypeOf(type)).join(' and ')
  const compared = args.map(({ type }) => (type.kind === 'array' ? type.of : type))
  const message = `Function '${name}' cannot compare the values of ${kinds}${conversionHint(compared)}`
  return reject(node, message, 'type_mismatch')
}

/** Converts a date that is added to an array of datetimes. */
function withElement([array, value, ...rest]: Expr[], timezone: string): Expr[] {
  const isMoment = array?.type.kind === 'array' && array.type.of.kind === 'datetime'
  const converted = value && isMoment ? convert(value, 'datetime', timezone) : undefined
  return [array, converted ?? value, ...rest].filter((expr) => expr !== undefined)
}

/** Returns the type of a call, and adds the call's position to an error of the function. */
export function typeOfCall(node: Located, spec: FunctionSpec, args: readonly Expr[]): Type {
  try {
    const types = args.map(({ type }) => type)
    return inZoneOf(spec.returns(types, args.map(literalOf)), types)
  } catch (error) {
    if (error instanceof HogqlError && error.start === null) reject(node, error.message, 'type_mismatch')
    throw error
  }
}

export function rejectUnknown(node: Located & { name: string }): never {
  const instead = insteadOf(node.name)
  if (instead !== undefined) {
    reject(node, `Unsupported function call '${node.name}(...)': ${instead}.`, 'unknown_function')
  }
  // More letters make another function: 'hasSubstr' is not 'substr'.
  const closest = closestTo(node.name, FUNCTION_NAMES, 2)
  const meant = closest === undefined ? '' : ` Perhaps you meant '${closest}(...)'?`
  reject(node, `Unsupported function call '${node.name}(...)'.${meant}`, 'unknown_function')
}

export const FUNCTION_NAMES = FUNCTIONS.flatMap(({ name, aliases = [] }) => [name, ...aliases])

/** Resolves a lambda with a parameter for the elements of each array. */
function bindLambda(r: Resolution, node: Lambda, arrays: readonly Expr[], scope: Scope): Expr {
  const elements = arrays.flatMap(({ type }) => (type.kind === 'array' ? [type.of] : []))
  if (node.args.length !== elements.length) {
    const count = (of: number, noun: string) => `${of} ${noun}${of === 1 ? '' : 's'}`
    reject(
      node,
      `The lambda has ${count(node.args.length, 'parameter')} for ${count(elements.length, 'array')}`,
      'invalid_query',
    )
  }
  const ids: number[] = []
  const parameters = new Map(scope.parameters)
  for (const [index, name] of node.args.entries()) {
    const id = r.nextId()
    const type = elements[index]
    if (type === undefined) continue
    ids.push(id)
    parameters.set(name, { node: 'element', parameter: id, type })
  }
  return lambdaOf(r, node, ids, { ...scope, parameters })
}

export type Lambda = Extract<Expression, { node: 'Lambda' }>

/**
 * Resolves a lambda, whose aliases are known only inside of it.
 * @param scope has the parameters, which are the elements `ids`
 */
export function lambdaOf(r: Resolution, node: Lambda, ids: number[], scope: Scope): Expr {
  const body = r.expr(node.expr, { ...scope, aliases: new Map(scope.aliases) })
  if (containsWindow(body)) reject(node, 'A window function cannot stand in a lambda')
  const ofElement = (part: Expr) => part.node === 'element'
  if (contains(body, (part) => part.node === 'aggregate' && contains(part, ofElement))) {
    reject(node, 'An aggregate inside a lambda cannot read an element')
  }
  return { node: 'lambda', parameters: ids, body, type: body.type }
}
