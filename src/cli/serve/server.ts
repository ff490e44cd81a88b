// One run of `wrangler dev`: its processes, why it ended, and the part of its output that is shown.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { LOCAL_HOSTS, WRANGLER_ENVIRONMENT } from '../wrangler'
import { killGroup } from './lock'

export interface Server {
  /** Id of its process group. */
  pid: number
  /** Resolves with the reason when wrangler or the runtime ends. */
  ended: Promise<string>
  tail(): string
  /** Ends all of its processes, and deletes their temporary files. */
  kill(): void
}

const MAX_TAIL_LINES = 40

/** Temporary files of the processes, which leave them when they are killed. The lock makes it the only server of the folder. */
const TEMPORARY = '.dev/tmp'

/** Wrangler prints it when workerd has ended. Its own restart may leave a server that never responds, because its proxy loses the runtime's address. */
const RUNTIME_CRASH = 'The Workers runtime crashed unexpectedly'

const FATAL_LINE = /\bfatal\b|out of memory|Received signal/i

/** Not its wrapper, which would hide the signal that ended it. */
const WRANGLER = createRequire(import.meta.url).resolve('wrangler')

/**
 * Starts the server.
 * @param onLogLine gets the log lines of the Worker, as JSON.
 */
export function startServer(port: number, onLogLine: (line: string) => void): Server {
  rmSync(TEMPORARY, { recursive: true, force: true })
  mkdirSync(TEMPORARY, { recursive: true })
  const child = spawn(
    process.execPath,
    [
      WRANGLER,
      'dev',
      `--port=${port}`,
      '--show-interactive-dev-session=false',
      '--var=THROTTLES:off',
      LOCAL_HOSTS,
    ],
    {
      env: {
        ...process.env,
        ...WRANGLER_ENVIRONMENT,
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_LOG: 'log',
        NO_COLOR: '1',
        TMPDIR: resolve(TEMPORARY),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that one signal ends wrangler, workerd and esbuild.
      detached: true,
    },
  )
  const lines: string[] = []
  const crashed = new Promise<string>((report) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (raw) => {
        const line = stripVTControlCharacters(raw)
        if (line.startsWith('{"level":')) {
          onLogLine(line)
          return
        }
        lines.push(line)
        if (lines.length > MAX_TAIL_LINES) lines.shift()
        if (line.includes(RUNTIME_CRASH)) report(describeCrash(lines))
      })
    }
  })
  return {
    pid: child.pid!,
    ended: Promise.race([crashed, exitOf(child, lines)]),
    tail: () => lines.filter((line) => line.trim() !== '').join('\n'),
    kill() {
      killGroup(child.pid!)
      rmSync(TEMPORARY, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function describeCrash(lines: readonly string[]): string {
  const cause = lines.findLast((line) => FATAL_LINE.test(line))
  return `the runtime (workerd) crashed${cause ? `: ${cause.trim()}` : ''}`
}

const ERROR_LINE = /\[ERROR\]\s+\S|^\w*Error: /

function exitOf(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((report) => {
    child.on('error', (error) => report(error.message))
    // Unlike `exit`, it comes after the last line of the output.
    child.on('close', (code, signal) => {
      const cause = lines.findLast((line) => ERROR_LINE.test(line))
      const end = signal ? `wrangler was ended by ${signal}` : `wrangler exited with code ${code}`
      report(cause ? `${end}: ${cause.trim()}` : end)
    })
  })
}
