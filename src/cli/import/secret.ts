// Reads keys that a command needs from an option, a variable of the environment, or a prompt without echo.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from '../command'

export interface SecretOptions {
  /** The value of the option. */
  value: string | undefined
  option: string
  variable: string
  /** The text of the prompt. */
  prompt: string
}

/** @throws UsageError without a value and without a terminal */
export async function readSecret({ value, option, variable, prompt }: SecretOptions): Promise<string> {
  const given = value ?? process.env[variable]
  if (given) return given.trim()
  if (!process.stdin.isTTY) throw new UsageError(`${prompt} is missing: set ${variable}, or add ${option}.`)
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
