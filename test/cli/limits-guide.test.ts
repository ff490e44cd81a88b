// The numbers of the guide of limits, which `npm run openapi` takes from the code.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withLimits } from '../../src/docs/limits-guide'

const write = (guide: string): Promise<string> => withLimits(guide, join(import.meta.dirname, '../../src'))

it.each([
  ['a number', '51 <!-- MAX_TILES -->', '50 <!-- MAX_TILES -->'],
  ['a unit', '7 MiB <!-- MAX_PAGE_BYTES --> a page', '8 MiB <!-- MAX_PAGE_BYTES --> a page'],
  ['milliseconds', '9 s <!-- MAX_STALL_MS -->', '0.5 s <!-- MAX_STALL_MS -->'],
  ['seconds', '9 s <!-- MAX_STREAM_SECONDS -->', '300 s <!-- MAX_STREAM_SECONDS -->'],
  ['a name that two files have', '9 <!-- pause/MAX_PENDING -->', '10,000 <!-- pause/MAX_PENDING -->'],
  ['a member', '9 <!-- SQLITE.maxText -->', '95,000 <!-- SQLITE.maxText -->'],
])('writes the limit of the code: %s', async (_, stale, current) => {
  expect(await write(stale)).toBe(current)
})

it.each(['9 <!-- MAX_NOTHING -->', '9 <!-- MAX_PENDING -->', '9 <!-- SQLITE -->'])(
  'refuses %s',
  async (limit) => {
    await expect(write(limit)).rejects.toThrow(`the guide of limits has "${limit}", which names no number`)
  },
)
