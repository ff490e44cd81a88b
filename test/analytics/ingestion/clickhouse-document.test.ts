import { expect, it } from 'vitest'
import { documentText } from '../../../src/analytics/ingestion/clickhouse-sink'

it.each([
  [{ big: 1e20, less: -1e20, text: 'B' }, '{"big":1e+20,"less":-1e+20,"text":"B"}'],
  [
    { list: [123456789012345680000, { deep: 2 ** 64 }] },
    '{"list":[1.2345678901234568e+20,{"deep":1.8446744073709552e+19}]}',
  ],
  [{ least: -(2 ** 63) }, '{"least":-9.223372036854776e+18}'],
  [{ unsigned: 2 ** 63 }, '{"unsigned":9223372036854776000}'],
])('writes integers of more than 64 bits with an exponent: %j', (document, text) => {
  expect(documentText(document)).toBe(text)
  expect(JSON.parse(documentText(document))).toEqual(document)
})

it('leaves digits within texts, fractions and exponents', () => {
  const document = {
    '100000000000000000000': '\\" 100000000000000000000 "',
    fractions: [0.12345678901234568, -0.0000012345678901234567, 1e-7],
    large: 1e21,
  }
  expect(documentText(document)).toBe(JSON.stringify(document))
})
