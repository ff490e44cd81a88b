// The lock of the local databases.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acquireLock } from '../../../src/cli/serve/lock'

let file: string
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'halyard-lock-')), 'dev/server.json')
})
afterEach(() => rmSync(dirname(dirname(file)), { recursive: true, force: true }))

const acquire = (command = 'npm start', url: string | null = null) => acquireLock(command, url, file)
const content = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

it('is held by one process at a time, and names it', () => {
  const lock = acquire()
  expect(() => acquire('npm run setup')).toThrow(
    `\`npm start\` is preparing the databases of this folder (process ${process.pid}). Wait until it is ready.`,
  )
  lock.record('http://localhost:8787')
  expect(() => acquire()).toThrow(
    `\`npm start\` already serves this folder on http://localhost:8787 (process ${process.pid}). Use that server, or stop it first.`,
  )
  lock.release()
  expect(existsSync(file)).toBe(false)
  acquire('npm run dev', 'http://localhost:9000').release()
})

it('is held on macOS against a command in another zone and language', () => {
  const { platform } = process
  const { TZ } = process.env
  try {
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    const lock = acquire()
    process.env.TZ = 'Asia/Tokyo'
    expect(() => acquire('npm run backup')).toThrow('Wait until it is ready.')
    lock.release()
  } finally {
    Object.defineProperty(process, 'platform', { value: platform })
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
})

it('is replaced when its process has ended, or another process has its id now', () => {
  const { release } = acquire()
  const held = content()
  release()
  for (const stale of [
    { ...held, pid: 2 ** 22 + 1 },
    { ...held, started: 'earlier' },
  ]) {
    writeFileSync(file, JSON.stringify(stale))
    const lock = acquire('npm run dev')
    expect(content()).toEqual({ ...held, command: 'npm run dev' })
    lock.release()
  }
  // As a crash in the middle of writing leaves it.
  writeFileSync(file, '{"pid":')
  acquire().release()
  expect(readdirSync(dirname(file))).toEqual([])
})

it('does not remove the lock of another process', () => {
  const lock = acquire()
  writeFileSync(file, JSON.stringify({ ...content(), pid: 1 }))
  lock.release()
  expect(existsSync(file)).toBe(true)
})
