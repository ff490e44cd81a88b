// Integers past 2^53 in what an import reads.
import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/import/client'
import { parseLine } from '../../src/import/file/format'
import { FlagFileError, parseFlagFile } from '../../src/import/flag-file/file'
import * as z from 'zod'

describe('an integer past 2^53 that an import reads', () => {
  it('keeps its digits in a response of the other service', async () => {
    const text = '{"distinct_ids": [1234567890123456789], "properties": {"account": 1234567890123456788}}'
    const client = createClient({
      url: 'https://other.example.com',
      headers: {},
      key: '',
      say: () => {},
      send: async () => ({ status: 200, text, retryAfter: null, location: null }),
    })
    expect(await client.call('GET', '/persons/')).toEqual({
      distinct_ids: ['1234567890123456789'],
      properties: { account: '1234567890123456788' },
    })
  })

  it('keeps its digits in a line of a file', () => {
    expect(parseLine(z.unknown(), '{"account": 1234567890123456789}', 'line 2')).toEqual({
      account: '1234567890123456789',
    })
  })

  it('is rejected by name in a file of flags, which would alter a payload', () => {
    const file =
      '{"flags": {"a": {"filters": {"groups": [], "payloads": {"true": {"id": 1234567890123456789}}}}}}'
    expect(() => parseFlagFile(file, 'halyard.json')).toThrow(
      new FlagFileError(
        'halyard.json: flags.a.filters.payloads.true.id: Integers past 2^53 are not kept exactly: 1234567890123456789. Send it as text.',
      ),
    )
  })
})
