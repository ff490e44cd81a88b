// now(), today() and yesterday(): the run's moment, which all of a query agrees on.
import type { Expr } from '../ir'
import type { Call } from '../parser/ast'
import { DATE, DATETIME } from '../types'
import { integer } from './build'
import type { Resolution } from './context'
import { refuse } from './refuse'

const NOW: Expr = { node: 'clock', which: 'now', type: DATETIME }
const TODAY: Expr = { node: 'clock', which: 'today', type: DATE }
const YESTERDAY: Expr = { node: 'shift', moment: TODAY, amount: integer(-1), unit: 'day', type: DATE }

const constant =
  (expr: Expr, most: number) =>
  (_r: Resolution, node: Call): Expr =>
    node.args.length <= most
      ? expr
      : refuse(
          node,
          `Function '${node.name}' takes no argument, and got ${node.args.length}`,
          'invalid_query',
        )

/** The names that say so, in lower case. A time zone or a precision changes nothing of the moment. */
export const CLOCK_FORMS = [
  ['now', constant(NOW, 1)],
  ['now64', constant(NOW, 2)],
  ['current_timestamp', constant(NOW, 0)],
  ['today', constant(TODAY, 0)],
  ['current_date', constant(TODAY, 0)],
  ['curdate', constant(TODAY, 0)],
  ['yesterday', constant(YESTERDAY, 0)],
] as const
