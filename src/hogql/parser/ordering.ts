// Parses ORDER BY.
import type { OrderExpr } from './ast'
import { notSupported, type Reader } from './reader'

export function orderBy(reader: Reader): OrderExpr[] {
  reader.expect('ORDER', 'BY')
  const orders = [order(reader)]
  while (reader.take(',')) orders.push(order(reader))
  return orders
}

function order(reader: Reader): OrderExpr {
  const { start } = reader.token
  const expr = reader.expression()
  const isDescending = reader.take('DESC') || reader.take('DESCENDING')
  if (!isDescending && !reader.take('ASC')) reader.take('ASCENDING')
  if (reader.is('NULLS', 'FIRST'))
    throw notSupported('NULLS FIRST is not supported: use ORDER BY x IS NOT NULL, x', reader.token)
  if (reader.take('NULLS')) reader.expect('LAST')
  if (reader.is('COLLATE'))
    throw notSupported('COLLATE is not supported: use ORDER BY lower(x)', reader.token)
  if (reader.is('WITH', 'FILL'))
    throw notSupported(
      'WITH FILL is not supported: LEFT JOIN the rows to the steps, such as those of numbers(…), with coalesce(…, 0)',
      reader.token,
    )
  return reader.node('OrderExpr', start, { expr, order: isDescending ? ('DESC' as const) : ('ASC' as const) })
}
