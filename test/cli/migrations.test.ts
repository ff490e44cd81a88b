// Migrations as D1's API takes them: it cuts a file into statements by rules of its own, which SQLite does not have. One that breaks them works
// on every machine, and fails where it is deployed.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAccount } from '../../src/cli/deploy/account'
import { query } from '../../src/cli/deploy/present'
import { type Cloudflare, serveCloudflare, TOKEN } from './cloudflare/server'

const FILES = readdirSync('migrations')
  .filter((file) => file.endsWith('.sql'))
  .map((file) => ({ file, text: readFileSync(`migrations/${file}`, 'utf8') }))

let cloudflare: Cloudflare
beforeEach(async () => {
  cloudflare = await serveCloudflare()
})
afterEach(() => cloudflare.stop())

async function run(statements: string[]) {
  const account = await openAccount(null, {
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    CLOUDFLARE_API_TOKEN: TOKEN,
  })
  const { uuid } = await account.cloudflare.post<{ uuid: string }>(`/accounts/${account.id}/d1/database`, {
    name: 'tried',
  })
  return query(account, uuid, statements)
}

describe('the API of D1', () => {
  it('takes every migration apart as it was meant', async () => {
    const names = await run([
      ...FILES.map(({ text }) => text.trim().replace(/;$/, '')),
      "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    ])
    expect(names.length).toBe(FILES.flatMap(({ text }) => text.match(/CREATE TRIGGER/g) ?? []).length)
  })

  it.each([
    ['in small letters', 'CREATE TRIGGER t AFTER INSERT ON a begin DELETE FROM a; end'],
    ['behind a carriage return', 'CREATE TRIGGER t AFTER INSERT ON a\r\nBEGIN\r\n DELETE FROM a;\r\nEND'],
    ['with a CASE in it', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END'],
  ])('does not take a trigger %s', async (_, trigger) => {
    await expect(run(['CREATE TABLE a (id integer)', trigger])).rejects.toThrow(/incomplete input/)
  })
})

describe.each(FILES)('$file', ({ text }) => {
  it('has no comment that the API could take for the end of a statement', () => {
    const comments = text.match(/--(?!> statement-breakpoint).*/g) ?? []
    expect(comments.filter((comment) => /[;'"`]/.test(comment))).toEqual([])
  })
})
