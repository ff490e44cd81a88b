// The guide's rows of operators and syntax that are written as functions.
import { UNITS } from '../hogql/types'

/** The names and arguments of forms, each with an example: an expression on events, or a query. */
export interface FunctionForm {
  names: readonly string[]
  takes: string
  example: string
}

const form = (names: string, takes: string, example: string): FunctionForm => ({
  names: names.split(' '),
  takes,
  example,
})

const capital = (unit: string): string => `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}s`

export const FUNCTION_FORMS: readonly FunctionForm[] = [
  form('if', 'condition, then, otherwise', "if(event = '$pageview', 1, 0)"),
  form(
    'multiIf',
    'condition, then, ..., otherwise',
    "multiIf(event = '$pageview', 'page', event = '$screen', 'screen', 'other')",
  ),
  form('and', 'condition...', "and(event = 'paid', properties.plan = 'pro')"),
  form('or', 'condition...', "or(event = 'paid', event = 'refunded')"),
  form('not', 'condition', "not(event = 'paid')"),
  form('equals', 'value, value', "equals(event, 'paid')"),
  form('notEquals', 'value, value', "notEquals(event, 'paid')"),
  form('less', 'value, value', 'less(timestamp, now())'),
  form('lessOrEquals', 'value, value', 'lessOrEquals(timestamp, now())'),
  form('greater', 'value, value', 'greater(timestamp, today())'),
  form('greaterOrEquals', 'value, value', 'greaterOrEquals(timestamp, today())'),
  form('like', 'text, pattern', "like(event, 'pa%')"),
  form('ilike', 'text, pattern', "ilike(event, 'PA%')"),
  form('notLike', 'text, pattern', "notLike(event, 'pa%')"),
  form('notILike', 'text, pattern', "notILike(event, 'PA%')"),
  form('plus', 'number or date, number or interval', 'plus(timestamp, INTERVAL 1 DAY)'),
  form('minus', 'number or date, number or interval', 'minus(timestamp, INTERVAL 1 DAY)'),
  form('multiply', 'number, number', 'multiply(2, 3)'),
  form('divide', 'number, number', 'divide(6, 4)'),
  form('modulo', 'number, number', 'modulo(7, 3)'),
  form('negate', 'number', 'negate(1)'),
  form('in', 'value, list or subquery', "in(event, ('paid', 'refunded'))"),
  form('notIn', 'value, list or subquery', "notIn(event, ('paid', 'refunded'))"),
  form('isNull', 'value', 'isNull(properties.plan)'),
  form('isNotNull', 'value', 'isNotNull(properties.plan)'),
  form('array', 'value...', 'array(1, 2, 3)'),
  form('tuple', 'value...', "tuple(1, 'a')"),
  form('arrayElement', 'array, index', "arrayElement(['a', 'b'], 1)"),
  form('tupleElement', 'tuple, index', "tupleElement((1, 'a'), 2)"),
  form('cast', 'value, type', "cast('12', 'Int64')"),
  form('exists', 'subquery', 'exists((SELECT 1 FROM persons))'),
  form('arrayJoin', 'array', 'arrayJoin([1, 2, 3])'),
  form(
    'dateAdd date_add timestampAdd',
    'date, interval (or unit, number, date)',
    'dateAdd(timestamp, INTERVAL 1 DAY)',
  ),
  form(
    'dateSub date_sub date_subtract timestampSub',
    'date, interval (or unit, number, date)',
    "dateSub('day', 1, timestamp)",
  ),
  form('toStartOfInterval', 'date, interval', 'toStartOfInterval(timestamp, INTERVAL 15 MINUTE)'),
  form('matchesAction', 'id or name', "matchesAction('Paid')"),
  form('now now64 current_timestamp', '', 'now()'),
  form('today current_date curdate', '', 'today()'),
  form('yesterday', '', 'yesterday()'),
  ...UNITS.flatMap((unit) => [
    form(`add${capital(unit)}`, 'date, number', `add${capital(unit)}(timestamp, 2)`),
    form(`subtract${capital(unit)}`, 'date, number', `subtract${capital(unit)}(timestamp, 2)`),
  ]),
]
