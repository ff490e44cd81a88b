// Parses operands: constants, names, calls, brackets and the forms that begin with a word.
import type { Expression, Placeholder } from './ast'
import { cast, columns, interval, positional, template, trim } from './forms'
import { functionCall } from './function-calls'
import { call, constant, implied, PRECEDENCE } from './nodes'
import { beginsNumber, number } from './numbers'
import { notSupported, type Reader } from './reader'

type Form = (reader: Reader, minimum: number) => Expression | null

/** Forms by the word or sign that they begin with. A form returns null when the word is a name. */
const FORMS: Readonly<Record<string, Form>> = {
  '(': parentheses,
  '[': array,
  '{': braces,
  '*': asterisk,
  '#': positional,
  "f'": template,
  '-': negation,
  NULL: (reader) => constant(reader, reader.next().start, null),
  NOT: not,
  CASE: caseOf,
  CAST: (reader) => cast(reader, 'TypeCast'),
  TRY_CAST: (reader) => cast(reader, 'TryCast'),
  ARRAY: (reader) => (reader.after().word === '[' ? array(reader) : null),
  INTERVAL: interval,
  TRIM: trim,
  COLUMNS: columns,
  LAMBDA: (reader, minimum) => (reader.isName(reader.after()) ? lambdaWithColon(reader, minimum) : null),
  DATE: (reader) => typedText(reader, 'toDate'),
  TIMESTAMP: (reader) => typedText(reader, 'toDateTime'),
}

/** @throws HogqlError `syntax_error` when no operand begins */
export function operand(reader: Reader, minimum: number): Expression {
  const { kind, word, start } = reader.token
  if (beginsNumber(reader)) return number(reader)
  if (kind === 'string') return constant(reader, start, reader.next().value)
  if (reader.beginsLambda()) return lambda(reader, minimum)
  const form = Object.hasOwn(FORMS, word) ? FORMS[word]!(reader, minimum) : null
  return form ?? named(reader, minimum)
}

/** Parses a call, or the path of a field. */
function named(reader: Reader, minimum: number): Expression {
  const { start, kind } = reader.token
  const { word } = reader.after()
  if (word === '(' && reader.isName()) {
    const found = functionCall(reader)
    if (found) return found
  }
  const chain = reader.path()
  if (chain.length === 1 && reader.take(':=')) {
    const value = reader.expression(minimum)
    throw notSupported(
      `Arguments cannot have names: write ${reader.sql.slice(value.start!, value.end!)} alone.`,
      {
        start,
        end: reader.end,
      },
    )
  }
  if (reader.take('.', '*')) return allColumns(reader, start, [...chain, '*'])
  if (chain.length === 1 && kind === 'word' && /^(?:true|false)$/i.test(chain[0]!)) {
    return constant(reader, start, chain[0]!.toLowerCase() === 'true')
  }
  return reader.node('Field', start, { chain })
}

function lambda(reader: Reader, minimum: number): Expression {
  const { start } = reader.token
  const args = [reader.name()]
  while (reader.take(',')) if (!reader.is('->')) args.push(reader.name())
  reader.expect('->')
  return reader.node('Lambda', start, { args, expr: reader.expression(minimum) })
}

/** Parses `lambda x, y: x + y`. */
function lambdaWithColon(reader: Reader, minimum: number): Expression {
  const { start } = reader.next()
  const args = [reader.name()]
  while (reader.take(',')) if (!reader.is(':')) args.push(reader.name())
  reader.expect(':')
  return reader.node('Lambda', start, { args, expr: reader.expression(minimum) })
}

/** Parses parameters of a lambda, a subquery, an expression, or a tuple. */
function parentheses(reader: Reader, minimum: number): Expression {
  const { start } = reader.token
  const args = parameters(reader)
  if (args) return reader.node('Lambda', start, { args, expr: reader.expression(minimum) })
  reader.next()
  if (reader.beginsQuery()) {
    const query = reader.selection()
    reader.expect(')')
    return query
  }
  if (reader.is('*', 'REPLACE', '(') || reader.is('*', 'EXCLUDE', '(')) {
    const all = columns(reader, start)
    if (all) return all
  }
  const first = reader.expression()
  if (reader.isSetOperator()) {
    const query = reader.rules.setOf(reader, first, start + 1)
    reader.expect(')')
    return query
  }
  if (reader.take(')')) return first
  const exprs = [first]
  while (reader.take(',')) if (!reader.is(')')) exprs.push(reader.expression())
  reader.expect(')')
  return reader.node('Tuple', start, { exprs })
}

/** Parses `(a, b) ->`, or returns null. */
function parameters(reader: Reader): string[] | null {
  let ahead = 1
  while (reader.isName(reader.after(ahead))) {
    ahead += 1
    if (reader.after(ahead).word !== ',') break
    ahead += 1
  }
  if (reader.after(ahead).word !== ')' || reader.after(ahead + 1).word !== '->') return null
  reader.next()
  const names: string[] = []
  while (!reader.take(')')) if (!reader.take(',')) names.push(reader.name())
  reader.expect('->')
  return names
}

function array(reader: Reader): Expression {
  const { start } = reader.token
  reader.take('ARRAY')
  reader.expect('[')
  const exprs = reader.is(']') ? [] : reader.list()
  reader.expect(']')
  return reader.node('Array', start, { exprs })
}

/** Parses a placeholder, or a dictionary. */
function braces(reader: Reader): Expression {
  const { start } = reader.next()
  const items: [Expression, Expression][] = []
  while (!reader.is('}')) {
    const key = reader.expression()
    if (items.length === 0 && reader.take('}')) return reader.node('Placeholder', start, { expr: key })
    reader.expect(':')
    items.push([key, reader.expression()])
    if (!reader.take(',')) break
  }
  reader.expect('}')
  return reader.node('Dict', start, { items })
}

/** @throws HogqlError `syntax_error` when no placeholder begins here */
export function placeholder(reader: Reader): Placeholder {
  const found = braces(reader)
  if (found.node !== 'Placeholder') throw notSupported('A dictionary is no query.', found as never)
  return found
}

function asterisk(reader: Reader): Expression {
  const { start } = reader.next()
  if (reader.is('COLUMNS', '('))
    throw notSupported('*COLUMNS(…) is not supported: list the columns.', reader.token)
  return allColumns(reader, start, ['*'])
}

/** Parses `*` and `t.*`, and the columns that they exclude. */
function allColumns(reader: Reader, start: number, chain: string[]): Expression {
  if (reader.is('REPLACE', '('))
    throw notSupported('* REPLACE is not supported: use * EXCLUDE (a), and expression AS a', reader.token)
  const isExcept = reader.is('EXCEPT', '(') && !/^(?:SELECT|WITH|\()$/.test(reader.after(2).word)
  if (!reader.take('EXCLUDE', '(') && !(isExcept && reader.take('EXCEPT', '(')))
    return reader.node('Field', start, { chain })
  const exclude: string[] = []
  do exclude.push(reader.path().join('.'))
  while (reader.take(',') && !reader.is(')'))
  reader.expect(')')
  return reader.node('ColumnsExpr', start, { all_columns: true, exclude })
}

/** Parses a negation; `number` parses `-1`. */
function negation(reader: Reader): Expression {
  const { start } = reader.next()
  const right = reader.expression(PRECEDENCE.negate)
  return reader.node('ArithmeticOperation', start, { op: '-', left: implied(0), right })
}

/** Parses NOT. `not(a)` is a call, unless a query is in the parentheses. */
function not(reader: Reader): Expression | null {
  const { start } = reader.token
  const next = reader.after()
  const isCallOfIn = next.word === 'IN' && reader.after(2).word === '('
  if (!isCallOfIn && (!reader.beginsExpression(next) || next.word === '.')) return null
  if (next.word === '(' && !/^(?:SELECT|WITH)$/.test(reader.after(2).word)) return null
  reader.next()
  const expr = reader.expression(PRECEDENCE.not)
  return reader.node('Not', start, { expr })
}

const NO_CASE = new Set(['.', '-', '+', '*'])

function caseOf(reader: Reader): Expression | null {
  const { start } = reader.token
  const next = reader.after()
  if (next.word === '(') return reader.attempt(start, () => caseForm(reader, start))
  const isForm = next.word === 'WHEN' || (reader.beginsExpression(next) && !NO_CASE.has(next.word))
  return isForm ? caseForm(reader, start) : null
}

function caseForm(reader: Reader, start: number): Expression {
  reader.next()
  const subject = reader.is('WHEN') ? null : reader.expression()
  const args: Expression[] = []
  do {
    reader.expect('WHEN')
    args.push(reader.expression())
    reader.expect('THEN')
    args.push(reader.expression())
  } while (reader.is('WHEN'))
  args.push(reader.take('ELSE') ? reader.expression() : implied(null))
  reader.expect('END')
  if (subject) return call(reader, start, '_caseWithExpression', [subject, ...args])
  return call(reader, start, args.length === 3 ? 'if' : 'multiIf', args)
}

/** Rejects `DATE '2020-01-01'`. */
function typedText(reader: Reader, instead: string): null {
  if (reader.after().kind !== 'string') return null
  const word = reader.token
  throw notSupported(`${word.value} '…' is not supported: use ${instead}('…').`, word)
}
