// What the daily trigger does for analytics shards.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DAILY } from '../../src/crons'
import type { Log } from '../../src/http/request-log'
import { onTrigger } from '../../src/scheduled'
import { shardOfSize } from '../support/shard-size'

async function linesOf(bindings: Partial<Env>): Promise<Parameters<Log>[0][]> {
  const lines: Parameters<Log>[0][] = []
  await onTrigger(DAILY, { ...env, ...bindings }, (line) => lines.push(line))
  return lines
}

describe('the daily trigger', () => {
  it('logs shards that are filling up', async () => {
    expect(await linesOf({})).toEqual([])
    const bindings = { EVENTS: shardOfSize(7_100_000_000), EVENTS_2: shardOfSize(9_100_000_000) }
    const line = (shard: string, size: string) => ({
      level: 'error',
      message: 'an analytics shard is filling up',
      error: `${shard} holds ${size} of 10.0 GB. Add a shard, set EVENTS_RETENTION_DAYS, or move projects to ClickHouse.`,
    })
    expect(await linesOf(bindings)).toEqual([line('EVENTS', '7.1 GB'), line('EVENTS_2', '9.1 GB')])
  })
})
