// Aggregates that are written with other aggregates.
import type { Expr } from '../../../ir'
import { aggregateCall, call, integer, isNull, all } from '../../../ir-build'
import { arrayOf, FLOAT, required, tupleOf } from '../../../types'
import { calculate } from '../arithmetic'
import { asKind, calculated, lambdaOf, macro, type Macro } from './form'

const collected = (value: Expr): Expr => aggregateCall('groupArray', [value], arrayOf(required(value.type)))

export const AGGREGATE_MACROS: readonly Macro[] = [
  // The result is the sum of the positive differences to the previous value.
  macro('deltaSum', 'number', (r, node, given) => {
    const steps = call('arrayDifference', collected(asKind(r, node, given!, 'number')))
    const of = steps.type.kind === 'array' ? steps.type.of : FLOAT
    return call(
      'arraySum',
      lambdaOf(r, of, (step) => call('greatest', step, integer(0))),
      steps,
    )
  }),
  macro('json_agg', 'value', (_r, _node, value) => call('toJSONString', collected(value!))),
  macro('anyHeavy', 'value', (_r, _node, value) => {
    const most = { ...aggregateCall('topK', [value!], arrayOf(required(value!.type))), params: [1] }
    return call('arrayElement', most, integer(1))
  }),
  // The result is slope and intercept.
  macro('simpleLinearRegression', 'x, y', (r, node, first, second) => {
    const [x, y] = [asKind(r, node, first!, 'number'), asKind(r, node, second!, 'number')]
    const filter = all([isNull(x, true), isNull(y, true)])
    const of = (fn: string, ...args: Expr[]): Expr => ({ ...aggregateCall(fn, args, FLOAT), filter })
    const slope = calculate(r, '/', of('covarPop', x, y), of('varPop', x), node)
    const intercept = calculated('-', of('avg', y), calculated('*', slope, of('avg', x), FLOAT), FLOAT)
    return { node: 'tuple', items: [slope, intercept], type: tupleOf(FLOAT, FLOAT) }
  }),
]
