// Results of ClickHouse: complete ones as they are, however they come apart, and nothing of any other.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRowBatches, parseRows, RowTooLarge } from '../../../src/analytics/clickhouse/json-compact'
import { ClickhouseUnreachable } from '../../../src/analytics/clickhouse/server'

/** As ClickHouse 25 writes it. */
const written = (rows: readonly unknown[][], more = '') => `{
\t"meta":
\t[
\t\t{
\t\t\t"name": "c0",
\t\t\t"type": "Int64"
\t\t}
\t],

\t"data":
\t[
${rows.map((row) => `\t\t${JSON.stringify(row)}`).join(',\n')}
\t],

\t"rows": ${rows.length},
${more}
\t"statistics":
\t{
\t\t"elapsed": 0.000617,
\t\t"rows_read": ${rows.length},
\t\t"bytes_read": 1
\t}
}
`

/** A body that comes in pieces which end at these positions. */
async function* body(text: string, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let from = 0
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(from, cut)
    from = cut
  }
}

const MAX = 1_000_000

const whole = (text: string) => parseRows(body(text), MAX)
const inBatches = async (text: string, cuts: readonly number[] = []) =>
  (await Array.fromAsync(parseRowBatches(body(text, cuts), MAX))).flat()

const value = fc.oneof(
  fc.integer(),
  fc.constant(null),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.constantFrom('\n\t],', '\t"rows": 1', ',\n', ']', '__exception__'),
)
const table = fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { maxLength: 8 })

describe('a complete result', () => {
  it('is its rows, wherever its pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(fc.nat(), { maxLength: 6 }), async (rows, cuts) => {
        const expected = JSON.parse(JSON.stringify(rows)) as unknown[][]
        expect(await whole(written(rows))).toEqual(expected)
        expect(await inBatches(written(rows), cuts)).toEqual(expected)
      }),
    )
  })

  it('comes in several batches when it is large', async () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => [index, 'x'.repeat(50)])
    const text = written(rows)
    const cuts = Array.from({ length: 60 }, (_, index) => index * 65_536)
    const batches = await Array.fromAsync(parseRowBatches(body(text, cuts), MAX))
    expect(batches.flat()).toEqual(rows)
    expect(batches.length).toBeGreaterThan(3)
  })

  it('is null when it is longer than asked for', async () => {
    expect(await parseRows(body(written([['x'.repeat(MAX)]])), MAX)).toBeNull()
  })
})

describe('a row that is too large', () => {
  const rows = [[1], ['x'.repeat(2 * MAX)], [2]]

  it('is reported as such, whether or not it ends', async () => {
    const text = written(rows)
    await expect(inBatches(text, [MAX / 2, 1.5 * MAX])).rejects.toThrow(RowTooLarge)
    await expect(inBatches(text.slice(0, 1.5 * MAX))).rejects.toThrow(RowTooLarge)
  })
})

describe('an incomplete result', () => {
  const refuse = async (text: string) => {
    await expect(whole(text)).rejects.toThrow(ClickhouseUnreachable)
    await expect(inBatches(text)).rejects.toThrow(ClickhouseUnreachable)
  }

  it('is rejected wherever it ends', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.nat(), async (rows, at) => {
        const text = written(rows).trimEnd()
        await refuse(text.slice(0, at % text.length))
      }),
    )
  })

  it('is rejected when it has an exception in a valid document', () =>
    refuse(written([[1]], '\n\t"exception": "Code: 395. DB::Exception: …",\n')))

  it('is rejected when an exception follows', () =>
    refuse(`${written([[1]])}\r\n__exception__\r\ndnqkxowxhzvwqhrx\r\nCode: 241.\r\n`))

  it('is rejected when rows are missing', () => refuse(written([[1], [2]]).replace('\t\t[1],\n', '')))

  it.each(['', '{}', '[]', 'null', '{"data":[[1]]}', '<html></html>', '{"data":{},"rows":0}'])(
    'is rejected when it is %j',
    refuse,
  )

  it('is rejected when its head or its end is longer than a row may be', async () => {
    const padding = `"${'x'.repeat(2 * MAX)}"`
    const head = inBatches(written([[1]]).replace('"Int64"', padding), [1.5 * MAX])
    await expect(head).rejects.toThrow(ClickhouseUnreachable)
    const end = inBatches(written([[1]], `\n\t"padding": ${padding},\n`), [1.5 * MAX])
    await expect(end).rejects.toThrow(ClickhouseUnreachable)
  })
})
