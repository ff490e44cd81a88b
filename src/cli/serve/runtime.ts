// Runs the Workers runtime (workerd) with the Worker under Miniflare. Nothing that it needs while it runs is in node_modules, because
// `npm ci` may replace that folder at any time.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { subscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { extname, join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from 'miniflare'
import { PERSISTENCE, type WorkerOptions } from '../local/worker-options'

/** Files of the running server. The lock makes it the only server of the folder. */
const TEMPORARY = '.dev/tmp'

export interface RuntimeOptions {
  worker: WorkerOptions
  /** The folder with the Worker's bundle. */
  bundle: string
  port: number
  /** Receives the log lines of the Worker, as JSON. */
  onLogLine(line: string): void
  /** Called when the runtime ends by itself. Miniflare starts another one. */
  onEnd(reason: string): void
  /** Called when the new runtime serves. */
  onServing(): void
}

export interface Runtime {
  /**
   * Starts the runtime, in place of the running one.
   * @throws with its output when it does not start
   */
  start(): Promise<void>
  /** Ends the runtime at once. The databases survive this, because SQLite recovers committed writes. */
  kill(): void
}

const FATAL_LINE = /\bfatal\b|out of memory|Received signal/i

export function createRuntime({
  worker,
  bundle,
  port,
  onLogLine,
  onEnd,
  onServing,
}: RuntimeOptions): Runtime {
  rmSync(TEMPORARY, { recursive: true, force: true })
  mkdirSync(TEMPORARY, { recursive: true })
  const executable = resolve(TEMPORARY, 'workerd')
  keep(workerdPath(), executable)
  process.env.MINIFLARE_WORKERD_PATH = executable

  const options = convertV4MiniflareOptions({
    ...worker,
    modules: readModules(bundle),
    modulesRoot: bundle,
    host: 'localhost',
    port,
    resourcePersistencePath: resolve(PERSISTENCE),
    resourceTmpPath: resolve(TEMPORARY),
    unsafeTriggerHandlers: true,
    logRequests: false,
    cf: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs({ message }: { message: string }) {
      if (message.startsWith('{"level":')) onLogLine(message)
      else if (FATAL_LINE.test(message)) cause = `: ${message.split('\n')[0]}`
    },
    unsafeHandleRuntimeRestart: onServing,
  } as V4MiniflareOptions)

  let miniflare: Miniflare | undefined
  let child: ChildProcess | undefined
  let cause = ''
  const setGuarded = startGuard()
  // Miniflare does not report how its process ended.
  subscribe('child_process', (message) => {
    const { process: started } = message as { process: ChildProcess }
    started.once('spawn', () => {
      if (started.spawnfile !== executable) return
      child = started
      cause = ''
      setGuarded(started.pid!)
      started.once('exit', (code, signal) => {
        if (child !== started) return
        child = undefined
        setGuarded(null)
        onEnd(
          `the runtime (workerd) ${signal ? `was ended by ${signal}` : `exited with code ${code}`}${cause}`,
        )
      })
    })
  })

  function kill(): void {
    const ended = child
    child = undefined
    ended?.kill('SIGKILL')
    rmSync(TEMPORARY, { recursive: true, force: true, maxRetries: 3 })
  }

  return {
    async start() {
      child = undefined
      await miniflare?.dispose().catch(() => {})
      miniflare = new Miniflare(options)
      await miniflare.ready
    },
    kill,
  }
}

const TYPES: Readonly<Record<string, 'ESModule' | 'CompiledWasm' | 'Text'>> = {
  '.js': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
}

/** Returns the modules of a bundle for Miniflare, with their contents: the entry first, then its imports. */
export const readModules = (folder: string, entry = 'index.js') =>
  readdirSync(folder)
    .filter((file) => TYPES[extname(file)])
    .sort((a, b) => Number(b === entry) - Number(a === entry))
    .map((file) => {
      const type = TYPES[extname(file)]!
      const path = join(folder, file)
      const contents = readFileSync(path)
      return { type, path, contents: type === 'CompiledWasm' ? contents : contents.toString() }
    })

/** Returns the path of the workerd that Miniflare has. */
function workerdPath(): string {
  const ofMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  return (ofMiniflare('workerd') as { default: string }).default
}

/** Copies a file, as a hard link if the file system allows it, so that it stays when node_modules is deleted. */
function keep(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target, constants.COPYFILE_FICLONE)
  }
}

/**
 * A shell script that ends the last process id that it has read, if that process still runs. Its input closes when the command ends,
 * however that happens.
 */
const SCRIPT = 'pid=; while read -r next; do pid=$next; done; test -n "$pid" && kill -9 "$pid"'

/**
 * Ends the runtime when the command is killed, because the command itself then has no time for it.
 * @returns a function that sets the process that has to end with this one, or null for none
 */
function startGuard(): (pid: number | null) => void {
  // The guard has its own process group, so that a signal that ends the command's group, such as Ctrl-C, does not end it first.
  const guard = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  return (pid) => guard.stdin.write(`${pid ?? ''}\n`)
}
