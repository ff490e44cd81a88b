// Runs plan, apply, drift and pull.
import type { Client } from '../client'
import { applyFlags } from './apply'
import { DEFAULT_NAME, parseFlagFile, printFlagFile, tagOf } from './file'
import { type FlagPlan, planFlags, planReport } from './plan'
import { flagsForFile, readProjectFlags } from './read-flags'

export interface FlagsOptions {
  action: 'plan' | 'apply' | 'drift' | 'pull'
  name: string
  /** Content of the file, or null if it does not exist. */
  text: string | null
  client: Client
  /** The project's path, such as `/api/projects/1/`. */
  project: string
  /** The name of the project, for people. */
  title: string
  prune: boolean
  /** Whether `pull` leaves out flags that the file does not manage. */
  managedOnly: boolean
  say(text: string): void
  write(text: string): void
  confirm(question: string): Promise<boolean>
  progress(done: number, of: number): void
}

/** The result: `changed` means that the project is not as the file says, and `failed` that not everything was written. */
export type Outcome = 'same' | 'changed' | 'failed'

/** @throws CallError; FlagFileError. */
export async function runFlags(options: FlagsOptions): Promise<Outcome> {
  const { action, name, text, client, project, say } = options
  if (action === 'pull') return pull(options)
  const file = parseFlagFile(text ?? '', name)
  const flags = await readProjectFlags(client, project)
  const plan = planFlags(file, flags, options.prune)
  say(`${name}, for ${options.title}:\n\n${planReport(plan).join('\n')}\n`)
  const isAsFileSays = plan.steps.every(({ isAdoption }) => isAdoption)
  if (action === 'drift') return isAsFileSays && plan.orphans.length === 0 ? 'same' : 'changed'
  if (action === 'plan') return isAsFileSays ? 'same' : 'changed'
  if (plan.steps.length === 0) return 'same'
  if (!(await options.confirm('Apply these changes?'))) {
    say('Nothing was changed.\n')
    return 'changed'
  }
  return apply(plan, { ...options, names: flags.names })
}

async function apply(
  plan: FlagPlan,
  { say, ...options }: FlagsOptions & Pick<Parameters<typeof applyFlags>[1], 'names'>,
): Promise<Outcome> {
  const { done, problems } = await applyFlags(plan, options)
  say(`\n${done.length} of ${plan.steps.length} written.\n`)
  for (const { key, problem } of problems) say(`${key}: ${problem}\n`)
  return problems.length > 0 ? 'failed' : 'same'
}

async function pull({
  name,
  text,
  client,
  project,
  managedOnly,
  say,
  write,
}: FlagsOptions): Promise<Outcome> {
  const managedBy = text === null ? DEFAULT_NAME : parseFlagFile(text, name).managedBy
  const tag = tagOf(managedBy)
  const read = await readProjectFlags(client, project)
  const { flags, problems } = flagsForFile(read, tag, managedOnly)
  write(printFlagFile({ managedBy, flags }, `${client.url}/halyard.schema.json`))
  const count = Object.keys(flags).length
  say(count === 1 ? `1 flag is in ${name}.\n` : `${count} flags are in ${name}.\n`)
  for (const { key, problem } of problems) say(`${key} is not in it: it ${problem}.\n`)
  const encrypted = Object.keys(flags).filter((key) => flags[key]!.has_encrypted_payloads === true)
  if (encrypted.length > 0) say(`Encrypted payloads are not in it: ${encrypted.join(', ')}.\n`)
  return problems.length > 0 ? 'failed' : 'same'
}
