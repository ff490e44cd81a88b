// Forms that begin with a word which may also be the name of a function or a field.
import type { Call, Expression } from './ast'
import { functionCall } from './function-calls'
import { call, constant, implied, PRECEDENCE } from './nodes'
import { notSupported, type Reader } from './reader'
import { typeName } from './type-names'

/** Parses `CAST(x AS type)`; `cast(x, 'type')` is a call. */
export function cast(reader: Reader, kind: 'TypeCast' | 'TryCast'): Expression | null {
  const { start } = reader.token
  if (reader.after().word !== '(') return null
  return reader.attempt(start, () => {
    reader.next()
    reader.expect('(')
    const expr = reader.expression(PRECEDENCE.alias + 1)
    reader.expect('AS')
    const type = typeName(reader)
    reader.expect(')')
    return reader.node(kind, start, { expr, type_name: type })
  })
}

const UNITS = new Set('SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR YYYY'.split(' '))

/** Parses `INTERVAL 1 DAY` and `INTERVAL '1 day'`; `interval(x)` is a call. */
export function interval(reader: Reader): Expression | null {
  const { start } = reader.token
  const next = reader.after()
  if (!reader.beginsExpression(next) || next.word === '.') return null
  if (next.kind === 'string' && !UNITS.has(reader.after(2).word)) return intervalText(reader)
  return reader.attempt(start, () => {
    reader.next()
    const amount = reader.expression()
    if (!reader.isOneOf(UNITS)) reader.fail()
    return call(reader, start, intervalFunction(reader.next().word), [amount])
  })
}

const intervalFunction = (unit: string) =>
  unit === 'YYYY' ? 'toIntervalYear' : `toInterval${unit[0]}${unit.slice(1).toLowerCase()}`

/** @throws HogqlError for a text that is not a number and a unit */
function intervalText(reader: Reader): Call {
  const { start } = reader.next()
  const text = reader.next()
  const [, amount, unit = ''] = /^\s*(\d+)\s+(\w+?)s?\s*$/.exec(text.value) ?? []
  if (amount === undefined || !UNITS.has(unit.toUpperCase())) {
    throw notSupported(
      `INTERVAL takes a number and a unit, such as INTERVAL '1 day', not '${text.value}'.`,
      text,
    )
  }
  return call(reader, start, intervalFunction(unit.toUpperCase()), [implied(Number(amount))])
}

const TRIMS: Readonly<Record<string, string>> = { BOTH: 'trim', LEADING: 'trimLeft', TRAILING: 'trimRight' }

/** Parses `TRIM(BOTH 'x' FROM text)`; `trim(text)` is a call. */
export function trim(reader: Reader): Expression | null {
  const { start } = reader.token
  const name = TRIMS[reader.after(2).word]
  if (name === undefined || reader.after().word !== '(' || reader.after(3).kind !== 'string') return null
  reader.next()
  reader.expect('(')
  reader.next()
  const characters = reader.expression()
  reader.expect('FROM')
  const text = reader.expression()
  reader.expect(')')
  return call(reader, start, name, [text, characters])
}

/** Parses `COLUMNS('pattern')` and `COLUMNS(a, b)`, and rejects REPLACE after them. */
export function columns(reader: Reader, from?: number): Expression | null {
  const start = typeof from === 'number' && !reader.is('COLUMNS') ? from : reader.token.start
  if (reader.is('COLUMNS')) {
    if (reader.after().word !== '(') return null
    if (reader.after(2).kind === 'string' && reader.after(3).word === ')') {
      reader.expect('COLUMNS', '(')
      const regex = reader.next().value
      reader.expect(')')
      return reader.node('ColumnsExpr', start, { regex })
    }
    if (reader.after(2).word !== '*') {
      const listed = functionCall(reader)
      const isPlain =
        listed?.node === 'Call' &&
        !listed.distinct &&
        !listed.order_by &&
        !listed.params &&
        !listed.filter_expr
      if (!isPlain) throw notSupported('COLUMNS takes columns only', { start, end: reader.end })
      const columnsListed = listed.args
      return reader.node('ColumnsExpr', start, { columns: columnsListed })
    }
  }
  throw notSupported(
    'COLUMNS(* …) and REPLACE are not supported: list the columns, or write * EXCLUDE (…).',
    reader.token,
  )
}

/** Rejects `#1`, the number of a column. */
export function positional(reader: Reader): never {
  throw notSupported('Columns cannot be named by position: use the name.', reader.token)
}

/** Parses a template: `f'a{b}'` joins its parts. */
export function template(reader: Reader): Expression {
  const { start } = reader.next()
  const parts: Expression[] = []
  while (!reader.take("'")) parts.push(partOf(reader))
  if (parts.length === 0) return constant(reader, start, '')
  return parts.length === 1 ? parts[0]! : call(reader, start, 'concat', parts)
}

/** Parses a text, or an expression in braces. */
function partOf(reader: Reader): Expression {
  if (reader.token.kind === 'text') {
    const { start, value } = reader.next()
    return constant(reader, start, value)
  }
  reader.expect('{')
  const expr = reader.expression()
  reader.expect('}')
  return expr
}
