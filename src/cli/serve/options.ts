// Parses the options of `npm start`. Without `--`, npm takes them for its own and puts them into the environment.
import { UsageError } from '../command'

export const DEFAULT_PORT = 8787

export interface StartOptions {
  port: number
  renew: boolean
}

/** @throws UsageError that says what to type */
export function parseStartOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): StartOptions {
  const given = new Map<string, string>()
  const values: string[] = []
  for (const arg of args) {
    const [, name, value = ''] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (name === undefined) values.push(arg)
    else given.set(name, value)
  }
  for (const [variable, value] of Object.entries(env)) {
    const name = variable.startsWith('npm_config_') ? variable.slice('npm_config_'.length) : ''
    // npm has many other options, which are ignored.
    const isMeant = isOption(name) || isMisspelt(name)
    if (isMeant && value && !given.has(name)) given.set(name, value === 'true' ? '' : value)
  }
  for (const name of given.keys()) if (!isOption(name)) throw new UsageError(unknownOption(name))

  let port = given.get('port')
  // `--port 9000` has the number apart from the option.
  if (port === '') port = values.shift() ?? ''
  if (values.length > 0) {
    throw new UsageError(`Unexpected argument '${values[0]}'. For a port, type: npm start -- --port 9000`)
  }
  return {
    port:
      port === undefined ? parsePort('PORT', env.PORT || String(DEFAULT_PORT)) : parsePort('--port', port),
    renew: given.has('renew') && given.get('renew') !== 'false',
  }
}

const isOption = (name: string): boolean => name === 'port' || name === 'renew'

/** Returns whether a name has the letters of an option in another order, or one too few or too many. */
const isMisspelt = (name: string): boolean =>
  ['port', 'renew'].some((option) => {
    const [shorter, longer] = [name, option].sort((a, b) => a.length - b.length) as [string, string]
    const rest = [...shorter].reduce((left, letter) => left.replace(letter, ''), longer)
    return longer.length - shorter.length <= 1 && rest.length <= longer.length - shorter.length
  })

const unknownOption = (name: string): string =>
  name[0] === 'r'
    ? `Unknown option '--${name}'. For new credentials, type: npm start -- --renew`
    : `Unknown option '--${name}'. For another port, type: npm start -- --port 9000`

function parsePort(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`${name} must be a number from 0 to 65535, got "${text}"`)
}
