// The lock of the local databases.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acquireLock } from '../../../src/cli/serve/lock'

let file: string
let holder: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-lock-'))
  file = join(folder, 'dev/server.lock')
  holder = join(folder, 'dev/server.json')
})
afterEach(() => rmSync(dirname(dirname(file)), { recursive: true, force: true }))

const acquire = (command = 'npm start', url: string | null = null) => acquireLock(command, url, file)

it('is held by one process at a time, and names it', () => {
  const lock = acquire()
  expect(() => acquire('npm run setup')).toThrow(
    `\`npm start\` is preparing the databases of this folder (process ${process.pid}). Wait until it is ready.`,
  )
  lock.record('http://localhost:8787')
  expect(() => acquire()).toThrow(
    `\`npm start\` already serves this folder on http://localhost:8787 (process ${process.pid}). Use that server, or stop it first.`,
  )
  // The other process has not said yet what it does.
  writeFileSync(holder, '{"pid":')
  expect(() => acquire()).toThrow('Another command has just begun')
  lock.release()
  expect(existsSync(holder)).toBe(false)
  acquire('npm run dev', 'http://localhost:9000').release()
})

it('ends with its process, however that ends', () => {
  const script = `
    import { acquireLock } from ${JSON.stringify(join(import.meta.dirname, '../../../src/cli/serve/lock.ts'))}
    acquireLock('npm start', null, ${JSON.stringify(file)})
    process.kill(process.pid, 'SIGKILL')`
  expect(() =>
    execFileSync(process.execPath, ['--import', 'tsx/esm', '--input-type=module', '-e', script]),
  ).toThrow()
  expect(JSON.parse(readFileSync(holder, 'utf8'))).toMatchObject({ command: 'npm start' })
  const lock = acquire('npm run dev')
  expect(JSON.parse(readFileSync(holder, 'utf8'))).toEqual({
    command: 'npm run dev',
    url: null,
    pid: process.pid,
  })
  lock.release()
})
