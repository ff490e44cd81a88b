import { expect, test } from 'vitest'
import { keyOf, sameExpr } from '../../src/hogql/ir-walk'
import type { Expr } from '../../src/hogql/ir'
import { call } from '../../src/hogql/ir-build'
import { arrayOf, STRING } from '../../src/hogql/types'

const element = (parameter: number): Expr => ({ node: 'element', parameter, type: STRING })
const lambda = (parameters: number[], body: Expr): Expr => ({
  node: 'lambda',
  parameters,
  body,
  type: body.type,
})
const words: Expr = { node: 'column', source: 1, column: 'words', type: arrayOf(STRING) }
const mapped = (parameter: number, body: Expr) => call('arrayMap', lambda([parameter], body), words)

test('lambdas whose parameters have other ids are written alike', () => {
  expect(sameExpr(mapped(2, element(2)), mapped(3, element(3)))).toBe(true)
})

test('a lambda that is used twice is written like two lambdas', () => {
  const shared = mapped(2, element(2))
  expect(keyOf(call('arrayConcat', shared, shared))).toBe(
    keyOf(call('arrayConcat', mapped(3, element(3)), mapped(4, element(4)))),
  )
})

test('elements of different lambdas around an expression differ', () => {
  expect(sameExpr(element(2), element(3))).toBe(false)
  expect(sameExpr(mapped(2, element(4)), mapped(2, element(5)))).toBe(false)
})

test('an element of the lambda around a lambda is no element of its own', () => {
  const inner = (read: number) => call('arrayMap', lambda([3], mapped(2, element(read))), words)
  expect(sameExpr(inner(2), inner(3))).toBe(false)
})
