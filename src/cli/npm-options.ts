// Finds options of a command that npm has taken for its own, because no `--` stands before them. npm puts its options into the environment.
import { existsSync, readFileSync } from 'node:fs'
import type { ParseArgsConfig } from 'node:util'

type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'npm_config_'

/** Options that npm reads as several one-letter options of its own, such as `-p -l -a -n`, and the settings that it then makes. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  plan: ['all', 'long', 'parseable'],
  apply: ['all', 'long', 'parseable', 'yes'],
}

/** People set this in the environment for npx. Without the option, a command asks or refuses. */
const UNCHECKED = 'yes'

/** Returns the options as they are typed after `--`. */
export function optionsTakenByNpm(
  options: NonNullable<ParseArgsConfig['options']>,
  args: readonly string[],
  env: Environment,
): string[] {
  const settings = Object.entries(env).flatMap(([variable, value = '']) =>
    variable.startsWith(PREFIX) ? [{ name: variable.slice(PREFIX.length).replaceAll('_', '-'), value }] : [],
  )
  return Object.entries(options).flatMap(([option, { default: value }]) => {
    const name = option.replace(/^no-/, '')
    const isGiven = args.some((arg) => /^--(no-)?([^=]*)/.exec(arg)?.[2] === name)
    if (isGiven || option === UNCHECKED) return []
    if (LETTERS[option]?.every((setting) => env[PREFIX + setting] === 'true')) return [`--${option}`]
    const taken = settings.find(
      (setting) => isLike(setting.name, name) && !isStored(setting.name, env),
    )?.value
    if (taken === undefined) return []
    // npm sets the variable of `--no-…` to an empty text.
    if (taken === '') return value === true || option !== name ? [`--no-${name}`] : []
    return [taken === 'true' ? `--${name}` : `--${name}=${taken}`]
  })
}

/** Returns whether a name has the letters of another, in any order, or one too few or too many. */
function isLike(name: string, other: string): boolean {
  const [shorter, longer] = [name, other].sort((a, b) => a.length - b.length) as [string, string]
  const excess = longer.length - shorter.length
  return (
    excess <= 1 && [...shorter].reduce((left, letter) => left.replace(letter, ''), longer).length <= excess
  )
}

/** Returns whether a setting is from a file of npm, such as the `email` of a registry. */
const isStored = (name: string, env: Environment): boolean =>
  ['.npmrc', env[`${PREFIX}userconfig`], env[`${PREFIX}globalconfig`]].some(
    (file) =>
      file &&
      existsSync(file) &&
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => line.split('=', 1)[0]!.trim() === name),
  )
