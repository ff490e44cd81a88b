import { existsSync, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { runCommand, say, UsageError } from './command'
import { writeWhole } from './write-whole'

const USAGE = `npm run flags -- plan|apply|drift|pull [--file FILE] [--prune] [--yes]

Keeps the flags of a project as a file says.

  plan             says what apply would change; exits with 2 when that is anything
  apply            changes the project, after asking
  drift            exits with 2 when the project is not as the file says
  pull             writes the file from the project

  --file FILE      default: halyard.json
  --url URL        of the service; default: the local one
  --project ID     of it
  --prune          deletes flags that the file managed before, and that are not in it
  --managed        pull: only flags that the file manages
  --yes            does not ask; pull: writes over a file

The key is that of HALYARD_KEY, of the credentials in .dev of that service, or of a prompt: a personal API key.`

const ACTIONS = ['plan', 'apply', 'drift', 'pull'] as const
/** The actions that take an option. */
const ACTIONS_WITH = { prune: ['plan', 'apply', 'drift'], managed: ['pull'], yes: ['apply', 'pull'] }
/** The exit code when there are changes, as in other tools of this kind. Errors exit with 1. */
const CHANGED = 2

const CONFIG = {
  options: {
    file: { type: 'string', default: 'halyard.json' },
    url: { type: 'string' },
    project: { type: 'string' },
    prune: { type: 'boolean', default: false },
    managed: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
  allowPositionals: true,
} as const

await runCommand(
  USAGE,
  CONFIG,
  async ({ values, positionals }) => {
    const [action, ...others] = positionals
    if (!ACTIONS.includes(action as never) || others.length > 0)
      throw new UsageError(`Name one of ${ACTIONS.join(', ')}: npm run flags -- plan`)
    for (const [name, actions] of Object.entries(ACTIONS_WITH) as [keyof typeof ACTIONS_WITH, string[]][])
      if (values[name] && !actions.includes(action!))
        throw new UsageError(`--${name} goes with ${actions.join(', ')}, not with ${action}.`)
    const { MAX_FILE_BYTES } = await import('../import/flag-file/file')
    const { file, yes } = values
    const exists = existsSync(file)
    if (action === 'pull' && exists && !yes)
      throw new UsageError(`${file} exists. Add --yes to write over it.`)
    if (action !== 'pull' && !exists)
      throw new UsageError(`${file} does not exist. npm run flags -- pull writes one from a project.`)
    if (exists && statSync(file).size > MAX_FILE_BYTES)
      throw new UsageError(`${file} has more than ${MAX_FILE_BYTES} bytes.`)
    const { runFlags } = await import('../import/flag-file/run')
    const { targetService } = await import('./import/options')
    const { projectPath, serviceClient } = await import('../import/posthog/source')
    const { printable } = await import('../import/printable')
    const service = await targetService(values, (text) => say(printable(text)), '')
    const { createProgress } = await import('./import/progress')
    const progress = createProgress('Writing')
    const outcome = await runFlags({
      action: action as (typeof ACTIONS)[number],
      name: file,
      // Editors on Windows put a byte order mark before it.
      text: exists ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : null,
      client: serviceClient(service),
      project: projectPath(service.project),
      title: `${service.url}, project ${service.project}`,
      prune: values.prune,
      managedOnly: values.managed,
      say: (text) => say(printable(text)),
      write: (text) => writeWhole(file, text, 0o644),
      confirm: yes ? async () => true : ask,
      progress: (done, of) => process.stdout.isTTY && progress.show(done, of),
    })
    progress.end()
    process.exitCode = { same: 0, changed: CHANGED, failed: 1 }[outcome]
  },
  { usageCode: 1 },
)

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('No terminal for confirmation: add --yes.')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
