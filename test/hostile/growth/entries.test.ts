// Every way in for a caller's bytes, with every hostile shape that means something to it: time and memory grow with the bytes, not faster.
import { describe, expect, it } from 'vitest'
import { ACCOUNT_ENTRIES } from './entries/accounts'
import { FILE_ENTRIES } from './entries/files'
import { FLAG_ENTRIES } from './entries/flags'
import { MCP_ENTRIES } from './entries/mcp'
import { OPENID_ENTRIES } from './entries/openid'
import { OPERATION_ENTRIES } from './entries/operations'
import { QUERY_ENTRIES } from './entries/queries'
import { RESPONSE_ENTRIES } from './entries/responses'
import { SDK_ENTRIES } from './entries/sdk'
import { drawn, LINEAR, measureGrowth, SEED } from './processor-growth'
import type { Entry } from './shapes'

/** Cases of each table in a small draw. */
const DRAWN = 4

const TABLES: Record<string, readonly Entry[]> = {
  SDKs: SDK_ENTRIES,
  operations: OPERATION_ENTRIES,
  queries: QUERY_ENTRIES,
  flags: FLAG_ENTRIES,
  accounts: ACCOUNT_ENTRIES,
  files: FILE_ENTRIES,
  'the chat provider': OPENID_ENTRIES,
  'other services': RESPONSE_ENTRIES,
  MCP: MCP_ENTRIES,
}

const casesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    Object.entries(entry.shapes).map(([shape, inputOf]) => ({
      title: `${entry.name}: ${shape}`,
      entry,
      inputOf,
    })),
  )

/** Errors of the engine, such as one for a stack that is full, are faults and no refusals. */
const isFault = (error: unknown): boolean =>
  !(error instanceof Error) || error instanceof RangeError || error instanceof TypeError

describe.each(Object.entries(TABLES))(
  `the work for input of %s grows linearly (GROWTH_SEED=${SEED})`,
  (_, entries) => {
    it.for(drawn(casesOf(entries), DRAWN))('$title', async ({ entry, inputOf }) => {
      const growth = await measureGrowth((size) => {
        const input = inputOf(size)
        return async () => {
          try {
            return await entry.read(input)
          } catch (error) {
            if (isFault(error)) throw error
            return error
          }
        }
      }, entry.max / 4)
      expect(growth).toEqual(LINEAR)
    })
  },
)
