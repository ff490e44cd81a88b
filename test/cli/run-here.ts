// Runs a command of src/cli within this process, as if it were the only thing in it: with a folder, an environment, arguments and outputs of its
// own. Commands run one after another, because these belong to the process.
import { join } from 'node:path'
import { runCleanups } from '../../src/cli/exit-cleanup'

const COMMANDS = join(import.meta.dirname, '../../src/cli')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface Surroundings {
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

let count = 0
let last: Promise<unknown> = Promise.resolve()

export function runHere(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<Ended> {
  const running = last.then(() => runAlone(command, args, surroundings))
  last = running.catch(() => {})
  return running
}

async function runAlone(
  command: string,
  args: readonly string[],
  { folder, env }: Surroundings,
): Promise<Ended> {
  const output = { stdout: '', stderr: '' }
  const file = join(COMMANDS, `${command}.ts`)
  const { argv, env: ownEnv, stdout, stderr } = process
  const own = { folder: process.cwd(), stdout: stdout.write, stderr: stderr.write }
  const keep = (name: keyof typeof output) =>
    ((text: string | Uint8Array) => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }) as typeof stdout.write
  process.chdir(folder)
  process.argv = [process.execPath, file, ...args]
  process.env = { ...env } as unknown as NodeJS.ProcessEnv
  process.exitCode = undefined
  stdout.write = keep('stdout')
  stderr.write = keep('stderr')
  try {
    count += 1
    // What a command imports is loaded once; the command itself runs each time that it is imported.
    await import(/* @vite-ignore */ `${file}?run=${count}`)
    return { code: Number(process.exitCode ?? 0), ...output }
  } finally {
    runCleanups()
    stdout.write = own.stdout
    stderr.write = own.stderr
    process.exitCode = undefined
    process.env = ownEnv
    process.argv = argv
    process.chdir(own.folder)
  }
}
