// Reads keys that a command needs. They are no options, because npm and `ps` print these.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from '../command'

/**
 * Returns a secret of the environment, a stored one, or what is typed without echo.
 * @param prompt names the secret
 * @throws UsageError without a value and without a terminal
 */
export async function readSecret(variable: string, prompt: string, stored?: string): Promise<string> {
  const given = process.env[variable] || stored
  if (given) return given.trim()
  if (!process.stdin.isTTY) throw new UsageError(`${prompt} is missing: set ${variable}.`)
  process.stdout.write(`${prompt}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    const typed = (await lines.question('')).trim()
    process.stdout.write('\n')
    if (typed === '') throw new UsageError(`${prompt} is missing.`)
    return typed
  } finally {
    lines.close()
  }
}
