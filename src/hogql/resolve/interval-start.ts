// toStartOfInterval(moment, INTERVAL n unit): the functions that round down to so many units.
import type { Expr } from '../ir'
import type { Call, Expression } from '../parser/ast'
import { call, integer, literalOf, text } from './build'
import type { Resolution } from './context'
import { convert } from './convert'
import { describe } from './describe'
import { intervalOf } from './intervals'
import { refuse } from './refuse'
import type { Scope } from './scope'
import { START_OF } from './starts'

export function startOfInterval(
  r: Resolution,
  node: Call,
  [arg, interval, ...others]: readonly Expression[],
  scope: Scope,
): Expr {
  const steps = interval && intervalOf(r, interval, scope)
  const [step, ...further] = steps ?? []
  const count = step && literalOf(step.amount())
  if (!arg || !step || further.length > 0 || others.length > 0 || typeof count !== 'number' || count < 1) {
    return refuse(node, `Function '${node.name}' takes a date and a constant interval`, 'invalid_query')
  }
  const expr = r.expr(arg, scope)
  const moment = convert(expr, 'moment', r.context.timezone)
  if (moment === undefined) {
    return refuse(
      arg,
      `Function '${node.name}' takes a date or datetime, and this is ${describe(expr.type)}`,
      'type_mismatch',
    )
  }
  if (count === 1) return call(START_OF[step.unit], moment)
  return call('toStartOfInterval', moment, integer(count), text(step.unit))
}
