// An ordinary caller while another organization attacks the same process in every way of test/support/faults/attacks.ts at once.
import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addOrganization,
  type Attack,
  type OrdinaryCall,
  ordinaryCalls,
  prepareAttacks,
} from '../support/faults/attacks'
import { serveWorker, type ServedWorker } from '../support/server/served-worker'

/** How often each attack is sent while ordinary calls continue. */
const ROUNDS = 3
/** Ordinary calls of each kind at least. */
const MIN_CALLS = 5

let served: ServedWorker
let attacks: Attack[]
let ordinary: OrdinaryCall[]
let processes: string[]

/** The ids of the runtimes that this process started. */
const runtimes = (): string[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => parent === String(process.pid) && name?.includes('workerd'))
    .map(([id]) => id!)

beforeAll(async () => {
  served = await serveWorker({ bindings: { THROTTLES: 'off' } })
  const { credentials, projectId } = served
  ordinary = await ordinaryCalls(served, { credentials, projectId })
  attacks = await prepareAttacks(served, await addOrganization(served, 'attacker@example.com'))
  processes = runtimes()
})
afterAll(() => served.stop())

describe('a connection of a pool', () => {
  it.each([
    ['of the API with an unknown key', '/api/projects/1/query/', 401],
    ['of MCP with an unknown key', '/mcp', 401],
    ['of OFREP with an unknown token', '/ofrep/v1/evaluate/flags', 401],
    ['to an unknown path', '/nothing', 404],
    ['by another method', '/health', 405],
  ])('stays open after a refused POST %s', async (_, path, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const call = (method: string, to: string, body?: string) =>
      new Promise((resolve) => {
        const headers = { Authorization: 'Bearer phx_unknown', 'Content-Type': 'application/json' }
        const sent = request(`${served.url}${to}`, { method, agent, headers }, (response) => {
          response.resume().on('end', () => resolve([response.statusCode, sent.reusedSocket]))
        })
        sent.on('error', (error) => resolve(error.message))
        sent.end(body)
      })
    await call('GET', '/health')
    for (let round = 0; round < 5; round += 1) {
      expect(await call('POST', path, '{"query": {}}')).toEqual([status, true])
      expect(await call('GET', '/health')).toEqual([200, true])
    }
    agent.destroy()
  })
})

describe('while all attacks run concurrently', () => {
  it('each is bounded, and ordinary calls of another organization succeed', async () => {
    expect(processes).toHaveLength(1)
    const state = { isOver: false }
    const responses = attacks.map((): string[] => [])
    const repeat = async ({ send }: Attack, index: number) => {
      for (let round = 0; round < ROUNDS; round += 1) responses[index]!.push(await send())
    }
    const attacking = Promise.all(
      attacks.flatMap((attack, index) =>
        Array.from({ length: attack.parallel }, () => repeat(attack, index)),
      ),
    ).finally(() => {
      state.isOver = true
    })
    const calls = ordinary.map((): string[] => [])
    for (let count = 0; count < MIN_CALLS || !state.isOver; count += 1)
      for (const [index, call] of ordinary.entries()) calls[index]!.push(await call.send())
    await attacking

    const unexpected = attacks.flatMap(({ name, allowed }, index) =>
      responses[index]!.filter((status) => !allowed.includes(status)).map((status) => `${name}: ${status}`),
    )
    expect(unexpected).toEqual([])
    expect(calls.map((statuses) => statuses.filter((status) => status !== '200'))).toEqual([[], [], []])
    expect(runtimes()).toEqual(processes)
  })
})
