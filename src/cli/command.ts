// Runs the commands of this folder. The exit code is 0, 1 with an error, or 2 for wrong usage. A command imports what it needs after its
// options are parsed, because wrangler takes seconds to load.
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearestName } from '../edit-distance'
import { optionsTakenByNpm } from './npm-options'

/** Thrown when a command was called wrongly. The message says how, in a line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Thrown before anything was changed. The message names the problem and the fix for the operator. */
export class PreflightError extends Error {
  override readonly name = 'PreflightError'
}

/** @throws PreflightError with all problems, if there are any */
export function requireNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new PreflightError(problems.join('\n'))
}

export const say = (text: string): void => void process.stdout.write(text)

/**
 * Runs a command to its end, and sets the exit code.
 * @param usage what `--help` prints
 * @param config what `parseArgs` accepts
 * @param usageCode the exit code for wrong usage
 */
export async function runCommand<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
  command: (given: ReturnType<typeof parseArgs<Config>>) => Promise<void>,
  { usageCode = 2 }: { usageCode?: number } = {},
): Promise<void> {
  const args = process.argv.slice(2)
  if (args.some((arg) => arg === '--help' || arg === '-h')) return say(`${usage}\n`)
  try {
    const taken = optionsTakenByNpm(config.options ?? {}, args, process.env).join(' ')
    if (taken) {
      const [call] = /^npm (start|run [\w:-]+)/.exec(usage)!
      throw new UsageError(
        `npm takes options for its own that do not stand after \`--\`. Type: ${call} -- ${taken}${args.length > 0 ? ' …' : ''}`,
      )
    }
    rejectRepeated(config)
    await command(parseArgs(config))
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException
    process.stderr.write(`${describe(error, Object.keys(config.options ?? {}))}\n`)
    const isUsage = error instanceof UsageError || String(error.code).startsWith('ERR_PARSE_ARGS')
    process.exitCode = isUsage ? usageCode : 1
  }
}

/** @throws UsageError for an option that is given twice, of which only the last value would count */
function rejectRepeated(config: ParseArgsConfig): void {
  const { tokens } = parseArgs({ ...config, tokens: true })
  const given = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option' || config.options?.[token.name]?.multiple) continue
    if (given.has(token.name)) throw new UsageError(`--${token.name} is given twice. Give it once.`)
    given.add(token.name)
  }
}

/** @param options the names that the command accepts */
function describe({ code, path, message }: NodeJS.ErrnoException, options: readonly string[]): string {
  if (path && code && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path} cannot be read or written (${code}): check who owns the folder, and whether it is read-only.`
  const [unknown, name = ''] = /^Unknown option '--?([^']*)'/.exec(message) ?? []
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || unknown === undefined) return message
  const meant = nearestName(name, options, Math.max(1, Math.floor(name.length / 3)))
  if (meant !== undefined) return `${unknown}. Did you mean --${meant}?`
  const all = options.map((option) => `--${option}`).join(', ')
  return `${unknown}. ${all ? `The options are ${all}` : 'The command has none'}. --help says more.`
}
