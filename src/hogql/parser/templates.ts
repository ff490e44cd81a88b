// Texts with expressions in braces: `f'…{a}…'`, and tags.
import type { Expression, Tag, TagAttribute } from './ast'
import { call, constant } from './nodes'
import type { Reader } from './reader'

/** `f'a{b}'` joins its parts. */
export function template(reader: Reader): Expression {
  const { start } = reader.next()
  const parts: Expression[] = []
  while (!reader.take("'")) parts.push(partOf(reader))
  if (parts.length === 0) return constant(reader, start, '')
  return parts.length === 1 ? parts[0]! : call(reader, start, 'concat', parts)
}

/** A text, or an expression in braces. */
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

/** `<kind a='b' c={d} e />`, `<kind>text {expression} <other/></kind>` */
export function tag(reader: Reader): Tag {
  const { start } = reader.next()
  const kind = reader.name()
  const attributes: TagAttribute[] = []
  while (reader.token.kind === 'word') attributes.push(attribute(reader))
  if (reader.take('/>')) return reader.node('HogQLXTag', start, { kind, attributes })
  reader.expect('>')
  const from = reader.token.start
  const children: Expression[] = []
  while (!reader.take('</')) children.push(reader.is('<') ? reader.nested(() => tag(reader)) : partOf(reader))
  if (children.length > 0)
    attributes.push(reader.node('HogQLXAttribute', from, { name: 'children', value: children }))
  if (reader.token.value !== kind) reader.fail()
  reader.next()
  reader.expect('>')
  return reader.node('HogQLXTag', start, { kind, attributes })
}

function attribute(reader: Reader): TagAttribute {
  const { start } = reader.token
  const name = reader.name()
  if (!reader.take('=')) {
    return reader.node('HogQLXAttribute', start, { name, value: constant(reader, start, true) })
  }
  const { kind, value, start: from } = reader.token
  const given = kind === 'string' ? (reader.next(), constant(reader, from, value)) : partOf(reader)
  return reader.node('HogQLXAttribute', start, { name, value: given })
}
