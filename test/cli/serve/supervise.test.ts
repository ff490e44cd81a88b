// When the local server is started again, and when not.
import { describe, expect, it } from 'vitest'
import type { Server } from '../../../src/cli/serve/server'
import { supervise } from '../../../src/cli/serve/supervise'

const TIMING = { startMs: 60, probeMs: 5, maxFailedProbes: 3 }

interface FakeServer extends Server {
  end(reason: string): void
  isAnswering: boolean
  isKilled: boolean
}

function createServer(isResponding: boolean): FakeServer {
  const { promise, resolve } = Promise.withResolvers<string>()
  const server: FakeServer = {
    pid: 1,
    ended: promise,
    tail: () => 'last line',
    kill: () => (server.isKilled = true),
    end: resolve,
    isAnswering: isResponding,
    isKilled: false,
  }
  return server
}

/** Supervises servers of which each ends as `act` says once it is ready. */
async function run(act: (server: FakeServer, count: number) => void, isResponding = true) {
  const servers: FakeServer[] = []
  const log: string[] = []
  const error = await supervise({
    start() {
      servers.push(createServer(isResponding))
      return servers.at(-1)!
    },
    probe: async () => servers.at(-1)!.isAnswering,
    onReady(isFirst) {
      log.push(isFirst ? 'ready' : 'ready again')
      act(servers.at(-1)!, servers.length)
    },
    onRestart: (reason) => log.push(reason),
    timing: TIMING,
  }).catch((thrown: Error) => thrown.message)
  expect(servers.every(({ isKilled }) => isKilled)).toBe(true)
  return { error, log, starts: servers.length }
}

describe('a server that ends', () => {
  it('is started again, at most five times within ten minutes', async () => {
    const { error, log, starts } = await run((server, count) => server.end(`reason ${count}`))
    expect(starts).toBe(6)
    expect(log.slice(0, 5)).toEqual(['ready', 'reason 1', 'ready again', 'reason 2', 'ready again'])
    expect(error).toBe('The server ended 6 times within 10 minutes, now because reason 6.\nlast line')
  })

  it('is started again when it no longer answers', async () => {
    const { log } = await run((server) => (server.isAnswering = false))
    expect(log.slice(0, 3)).toEqual(['ready', 'it did not answer 3 probes in a row', 'ready again'])
  })

  it('is not started again when it never answered', async () => {
    expect(await run(() => {}, false)).toEqual({
      error: 'The server did not start: it did not answer within 0.06 seconds.\nlast line',
      log: [],
      starts: 1,
    })
  })
})
