// Parses FROM: tables, subqueries and JOINs.
import type { Expression, JoinConstraint, JoinExpr, Selection } from './ast'
import { placeholder } from './operands'
import { rejectOtherClause } from './other-clauses'
import { notSupported, type Reader } from './reader'
import { beginsNumber, number } from './numbers'

const JOIN_WORDS = new Set(
  'NATURAL POSITIONAL CROSS ALL ANY ASOF SEMI ANTI INNER LEFT RIGHT FULL OUTER JOIN'.split(' '),
)

/** The order of the words in the kind of a join. */
const SIDES = ['LEFT', 'RIGHT', 'FULL', 'OUTER']
const STRICTNESS = ['ASOF', 'SEMI', 'ALL', 'ANTI', 'ANY']

/** Parses tables with joins. Each table has the following one in `next_join`. */
export function joins(reader: Reader): JoinExpr {
  const first = source(reader)
  let last = lastOf(first)
  for (;;) {
    const kind = joinKind(reader)
    if (kind === null) return first
    const next = source(reader)
    next.join_type = kind
    const constraint = constraintOf(reader)
    if (kind !== 'CROSS JOIN') next.constraint = constraint
    else if (constraint) throw notSupported('CROSS JOIN takes no condition', constraint as never)
    last.next_join = next
    last = lastOf(next)
  }
}

function lastOf(join: JoinExpr): JoinExpr {
  let last = join
  while (last.next_join) last = last.next_join
  return last
}

/** Reads the words up to JOIN, or null when none comes next. */
function joinKind(reader: Reader): string | null {
  if (reader.take(',')) return 'CROSS JOIN'
  if (!reader.isOneOf(JOIN_WORDS) || reader.after().word === 'ARRAY') return null
  const { start } = reader.token
  const words = new Set<string>()
  while (!reader.take('JOIN')) {
    if (reader.is('NATURAL')) throw notSupported('NATURAL JOIN is not supported: use USING (…)', reader.token)
    if (!reader.isOneOf(JOIN_WORDS)) reader.fail()
    words.add(reader.next().word)
  }
  if (words.has('CROSS') && words.size === 1) return 'CROSS JOIN'
  if (words.has('POSITIONAL')) return 'POSITIONAL JOIN'
  const sides = SIDES.filter((word) => words.has(word))
  const strictness = STRICTNESS.filter((word) => words.has(word))
  const isOneKind = sides.filter((word) => word !== 'OUTER').length + (words.has('INNER') ? 1 : 0) <= 1
  if (words.has('CROSS') || !isOneKind || strictness.length > 1 || sides[0] === 'OUTER') {
    throw notSupported(`${[...words].join(' ')} JOIN is not supported: a JOIN is of one kind`, {
      start,
      end: reader.end,
    })
  }
  if (sides.length > 0) return [...sides, ...strictness, 'JOIN'].join(' ')
  const isInner = words.has('INNER') || /^(?:ALL|ANY|ASOF)$/.test(strictness.join(' '))
  return [...strictness, ...(isInner ? ['INNER'] : []), 'JOIN'].join(' ')
}

function constraintOf(reader: Reader): JoinConstraint | null {
  const { start } = reader.token
  const type = reader.take('ON') ? 'ON' : reader.take('USING') ? 'USING' : null
  if (type === null) return null
  const expr = reader.expression()
  if (reader.is(',')) {
    throw notSupported(`JOIN … ${type} takes one condition: combine several with AND`, reader.token)
  }
  return reader.node('JoinConstraint', start, { constraint_type: type as 'ON', expr })
}

function source(reader: Reader): JoinExpr {
  const { start } = reader.token
  const inner = reader.is('(') ? inParentheses(reader) : null
  if (inner && inner.node === 'JoinExpr') return inner
  const named = inner ? { table: inner } : table(reader)
  if (reader.is('PIVOT', '('))
    throw notSupported('PIVOT is not supported: use countIf(…) or sumIf(…) for each column', reader.token)
  if (reader.is('UNPIVOT'))
    throw notSupported('UNPIVOT is not supported: use ARRAY JOIN [a, b] AS value', reader.token)
  const alias = aliasOf(reader)
  const aliases = alias === null ? {} : { column_aliases: reader.is('(') ? reader.names() : null }
  const final = reader.take('FINAL') || null
  const sample = reader.is('SAMPLE') ? sampleOf(reader) : null
  return reader.node('JoinExpr', start, {
    ...named,
    alias,
    ...aliases,
    table_final: final,
    sample,
    next_join: null,
  }) as JoinExpr
}

/** Parses a query, or tables that are joined. */
function inParentheses(reader: Reader): JoinExpr | Expression | Selection {
  const { start } = reader.next()
  if (reader.is('VALUES', '(')) {
    throw notSupported(
      'VALUES is not supported: use SELECT … UNION ALL SELECT …, or arrayJoin([…])',
      reader.token,
    )
  }
  if (reader.beginsQuery()) {
    const query = reader.selection()
    reader.expect(')')
    return query
  }
  const joined = reader.nested(() => joins(reader))
  const { table: bare } = joined
  const isBare = bare !== null && joined.alias === null && !joined.next_join && bare.node !== 'Field'
  const inner =
    isBare && reader.isSetOperator() ? reader.rules.setOf(reader, bare, start + 1) : isBare ? bare : joined
  reader.expect(')')
  return inner
}

function table(reader: Reader): Pick<JoinExpr, 'table' | 'table_args'> {
  const { start } = reader.token
  if (reader.is('{')) return { table: placeholder(reader) }
  const chain = reader.path()
  const field = reader.node('Field', start, { chain })
  if (chain.length > 1 || !reader.take('(')) return { table: field }
  const args = reader.is(')') ? [] : reader.list()
  reader.expect(')')
  return { table: field, table_args: args }
}

/** Words of the grammar that can be the name of a table without AS. */
const ALIASES = new Set(['DATE', 'FIRST', 'ID', 'KEY'])

function aliasOf(reader: Reader): string | null {
  if (reader.take('AS')) return reader.name()
  rejectOtherClause(reader)
  return reader.isPlainName(ALIASES) ? reader.name() : null
}

function sampleOf(reader: Reader): object {
  const { start } = reader.next()
  const share = ratio(reader)
  const offset = reader.take('OFFSET') ? ratio(reader) : null
  return reader.node('SampleExpr', start, { sample_value: share, offset_value: offset })
}

function ratio(reader: Reader): object {
  const { start } = reader.token
  if (reader.is('{')) return placeholder(reader)
  if (!beginsNumber(reader)) reader.fail()
  const left = number(reader)
  const right = reader.take('/') ? number(reader) : null
  return reader.node('RatioExpr', start, { left, right })
}
