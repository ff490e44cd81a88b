// Runs the commands that a guide shows, as a reader would paste them, and compares what it shows of the responses.
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Step {
  commands: string
  /** Responses that the guide shows, shortened: of the last calls. */
  shown: string[]
}

/** Commands of npm are for the project itself: other tests run those. */
const isOfProject = (commands: string) => /^(npm|npx) /.test(commands)

export function stepsIn(page: string): Step[] {
  const steps: Step[] = []
  for (const [, language, text] of page.matchAll(/^```(sh|text)\n(.*?)^```/gms)) {
    if (language === 'sh') {
      if (!isOfProject(text!)) steps.push({ commands: text!, shown: [] })
    } else if (/^[{["]/.test(text!)) steps.at(-1)!.shown = text!.trim().split('\n')
  }
  return steps
}

const END = '--- end of a step'

/**
 * The pause before a materialized query runs is long enough for any deployment: here it ends when none is being built. Shorter pauses are for
 * queues, and take their time.
 */
const SLEEP = `sleep() {
  [ "$1" -gt 2 ] || { command sleep "$1"; return; }
  local key=$(node -p "require('./.dev/credentials.json').personal_api_key")
  for _ in $(seq "$1"); do
    command sleep 1
    curl -s $PROJECT/endpoints/ -H "Authorization: Bearer $key" | grep -q '"status":"Running"' || return 0
  done
}
`

/**
 * Runs the steps in one shell. Does not block this process, which the queues of a local Worker need.
 * @returns the responses of each, a JSON value of each call, and what the shell printed to its errors.
 */
export async function runSteps(
  steps: readonly Step[],
  folder: string,
): Promise<{ responses: unknown[][]; errors: string }> {
  const script = steps.map(({ commands }) => `${commands}\necho '${END}'\n`).join('')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', SLEEP + script], {
    cwd: folder,
    // Its `.curlrc` ends each response with a line.
    // For code of an SDK, which this folder has.
    env: { ...process.env, HOME: folder, NODE_PATH: join(import.meta.dirname, 'node_modules') },
    maxBuffer: 64 * 1024 * 1024,
  })
  const outputs = stdout.split(`${END}\n`).slice(0, -1)
  const responses = outputs.map((output) =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line)),
  )
  return { responses, errors: stderr }
}

/**
 * The shells that a guide promises, as far as they are installed.
 * @param folder for scripts, which shells read as files: fish does not take every kind of input for a script.
 * @returns what they say of the syntax.
 */
export function syntaxErrors(steps: readonly Step[], folder: string): string[] {
  const script = join(folder, 'step.sh')
  return steps.flatMap(({ commands }) => {
    writeFileSync(script, commands)
    return [
      ['zsh', '-n'],
      ['fish', '--no-execute'],
    ].flatMap(([shell, option]) => {
      const { error, status, stderr } = spawnSync(shell!, [option!, script], { encoding: 'utf8' })
      return error || (status === 0 && stderr === '') ? [] : [`${shell}: ${stderr}`]
    })
  })
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Where a response is not as shown, where `…` stands for more of it; ids and times are of any value. */
export function differencesFrom(shown: string, response: unknown): string[] {
  const differences: string[] = []
  const compare = (wanted: unknown, found: unknown, place: string) => {
    if (typeof wanted === 'object' && wanted !== null) {
      const isSame =
        typeof found === 'object' && found !== null && Array.isArray(wanted) === Array.isArray(found)
      if (!isSame) differences.push(`${place} is ${JSON.stringify(found)}`)
      else
        for (const [key, value] of Object.entries(wanted))
          compare(value, Reflect.get(found, key), `${place}.${key}`)
      return
    }
    const isAny = place.endsWith('.id') || (TIME.test(String(wanted)) && TIME.test(String(found)))
    if (isAny ? typeof wanted !== typeof found : wanted !== found)
      differences.push(`${place} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
  }
  compare(JSON.parse(shown.replaceAll(/(, )?…/g, '')), response, '')
  return differences
}
