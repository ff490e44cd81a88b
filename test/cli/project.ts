// The project as an operator has it, in a folder of its own: the same code, another wrangler.toml, and nothing of anybody's account.
import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Ended, runHere } from './run-here'

const ROOT = join(import.meta.dirname, '../..')
/** Where commands put what they need for a while. One for all projects of a test file: tsx keeps there what it has compiled. */
const TEMPORARY = mkdtempSync(join(tmpdir(), 'halyard-temporary-'))
process.on('exit', () => rmSync(TEMPORARY, { recursive: true, force: true }))

/** Commands that serve until a signal ends them: these are processes. */
const SERVING = new Set(['start', 'dev'])

const LINKED = ['src', 'drizzle', 'migrations', 'node_modules', 'package.json', 'tsconfig.json']

export interface Running {
  ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
}

export interface Project {
  folder: string
  /** Starts a command of src/cli. */
  start(command: string, args?: readonly string[], env?: Record<string, string>): Running
  /** Starts a script of package.json, as npm runs it: the signals meet npm. */
  npm(args: readonly string[]): Running
  /** Runs a command to its end: within this process, unless it serves. */
  run(command: string, args?: readonly string[], env?: Record<string, string>): Promise<Ended>
  /** Runs a command that ends by itself within this process: Node and what it compiles take longer to start than most commands to run. */
  runHere(command: string, args?: readonly string[], env?: Record<string, string>): Promise<Ended>
  /** Names in the folder that are not the project's own. */
  left(): string[]
  /** Folders of the commands among temporary files. */
  temporary(): string[]
  /** Everything that commands wrote down about themselves: wrangler keeps a log of each. */
  logs(): string
  read(file: string): string
  remove(): void
}

/** @param edit changes what wrangler.toml says. */
export function createProject(
  env: Record<string, string>,
  edit: (config: string) => string = (config) => config,
): Project {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-project-'))
  const home = join(folder, 'home')
  mkdirSync(home)
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name))
  writeFileSync(join(folder, 'wrangler.toml'), edit(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')))
  const own = new Set(readdirSync(folder))

  // Nothing of whoever runs the tests: neither their login nor their account.
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CLOUDFLARE|CF|WRANGLER)_/.test(name)),
  )
  const surroundings = {
    ...clean,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: TEMPORARY,
    // Node may share it between processes: every test file needs the same of wrangler.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/halyard-commands'),
    ...env,
  }

  function launch(file: string, args: readonly string[], more: Record<string, string> = {}): Running {
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...surroundings, ...more } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk))
    return {
      kill: (signal) => child.kill(signal),
      ended: new Promise((resolve, reject) => {
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, ...output }))
      }),
    }
  }

  // As package.json has it: one process, so that a signal meets the command itself.
  const start: Project['start'] = (command, args = [], more = {}) =>
    launch(process.execPath, ['--import', 'tsx/esm', `src/cli/${command}.ts`, ...args], more)

  const runInFolder: Project['runHere'] = (command, args = [], more = {}) =>
    runHere(command, args, { folder, env: { ...surroundings, ...more } })

  return {
    folder,
    start,
    npm: (args) => launch('npm', args),
    run: (command, args = [], more = {}) =>
      SERVING.has(command) ? start(command, args, more).ended : runInFolder(command, args, more),
    runHere: runInFolder,
    left: () => readdirSync(folder).filter((name) => !own.has(name) && name !== '.wrangler'),
    temporary: () =>
      readdirSync(TEMPORARY)
        .filter((name) => name.startsWith('halyard-'))
        .map((name) => join(TEMPORARY, name)),
    logs: () =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
        .join('\n'),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
