// Options that the commands of this folder share.
import { withoutLastSlashes } from '../../base-url'
import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from '../command'
import { LOCAL_CREDENTIALS, readCredentials, storedKey } from '../local/credentials'
import type { Source, Stream } from '../../import/model'
import type { Service } from '../../import/posthog/source'

/**
 * Returns the URL without a slash at its end.
 * @throws UsageError
 */
export function requireUrl(option: string, value: string | undefined): string {
  if (!value) throw new UsageError(`${option} must say where the service is.`)
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new UsageError(`${option} must be a URL such as https://flags.example.com, got "${value}".`)
  const { username, password } = new URL(value)
  if (username || password) throw new UsageError(`${option} may not contain a name or password.`)
  return withoutLastSlashes(value)
}

const STREAMS: Record<string, readonly Stream[]> = { persons: ['person', 'group'], events: ['event'] }

/** @throws UsageError */
export function streamsOf(option: string, list: string | undefined): Stream[] {
  const names = list?.split(',').map((name) => name.trim()) ?? []
  return names.flatMap((name) => {
    const streams = Object.hasOwn(STREAMS, name) ? STREAMS[name] : undefined
    if (!streams)
      throw new UsageError(`${option} takes ${Object.keys(STREAMS).join(' and ')}, got "${name}".`)
    return streams
  })
}

const SOURCES = ['posthog', 'halyard', 'unleash', 'file'] as const

interface SourceValues {
  from?: string
  url?: string
  project?: string
  environment?: string
  with?: string
}

/**
 * @param positionals the file, of `--from file`
 * @throws UsageError
 */
export async function openSource(
  values: SourceValues,
  positionals: readonly string[],
  say: Service['say'],
): Promise<Source> {
  const from = SOURCES.find((source) => source === values.from)
  if (!from)
    throw new UsageError(
      `--from must be one of ${SOURCES.join(', ')}${values.from ? `, got "${values.from}"` : ''}.`,
    )
  if (values.environment !== undefined && from !== 'unleash')
    throw new UsageError('--environment goes with --from unleash.')
  const [file, ...others] = positionals
  if (others.length > 0 || (file !== undefined && from !== 'file'))
    throw new UsageError(`Unexpected argument "${others[0] ?? file}".`)
  switch (from) {
    case 'file': {
      for (const name of ['url', 'project'] as const)
        if (values[name] !== undefined)
          throw new UsageError(`--${name} is for another source than a file. The target has --to-${name}.`)
      if (!file) throw new UsageError('Name the file: npm run import -- --from file FILE')
      if (!statSync(file, { throwIfNoEntry: false })?.isFile())
        throw new UsageError(`${file} does not exist, or is not a file.`)
      const { fileSource } = await import('../../import/file/source')
      return fileSource({ name: file, read: (start) => createReadStream(file, { start }) })
    }
    case 'unleash': {
      if (values.with)
        throw new UsageError('--with does not go with --from unleash: it has no persons and events.')
      const { unleashSource } = await import('../../import/unleash/source')
      const service = await sourceService({ ...values, project: values.project ?? 'default' }, say)
      return unleashSource({ ...service, environment: values.environment ?? null })
    }
    // Halyard has the same API as PostHog.
    case 'halyard':
    case 'posthog': {
      const { posthogSource } = await import('../../import/posthog/source')
      return posthogSource(await sourceService(values, say), { isHalyard: from === 'halyard' })
    }
  }
}

async function sourceService({ url, project }: SourceValues, say: Service['say']): Promise<Service> {
  const checked = requireUrl('--url', url)
  if (!project) throw new UsageError('--project must be the id of a project of the source.')
  return { url: checked, project, say, key: await readSecret('IMPORT_KEY', 'Key of the source') }
}

/**
 * Returns the address of a Halyard that an option gives, or that of the credentials in a file, by default of the local one.
 * @throws UsageError
 */
export function requireHalyardUrl(
  option: string,
  given: string | undefined,
  file = LOCAL_CREDENTIALS,
): string {
  const address = given ?? readCredentials(file)?.base_url
  if (!address)
    throw new UsageError(
      `There is no ${file}: name the service with ${option}, or run npm ${file === LOCAL_CREDENTIALS ? 'start' : 'run deploy'} first.`,
    )
  return requireUrl(option, address)
}

/** @throws UsageError */
export function readHalyardKey(url: string): Promise<string> {
  const { origin } = new URL(url)
  return readSecret('HALYARD_KEY', `Personal API key of ${origin}`, storedKey(origin))
}

/**
 * Returns a secret, which is no option because npm and `ps` print these: that of the environment, a stored one, or what is typed without echo.
 * @param prompt names the secret
 * @throws UsageError without a value and without a terminal
 */
async function readSecret(variable: string, prompt: string, stored?: string): Promise<string> {
  const given = process.env[variable] || stored
  if (given) return given.trim()
  if (!process.stdin.isTTY) throw new UsageError(`${prompt} is missing: set ${variable}.`)
  process.stdout.write(`${prompt}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    const typed = (await lines.question('')).trim()
    process.stdout.write('\n')
    if (typed === '') throw new UsageError(`${prompt} is missing.`)
    return typed
  } finally {
    lines.close()
  }
}

interface TargetValues {
  'to-url'?: string
  'to-project'?: string
  url?: string
  project?: string
}

/**
 * Returns the service that the options name, or the local one.
 * @param prefix of the options, after the dashes
 * @throws UsageError
 */
export async function targetService(
  values: TargetValues,
  say: Service['say'],
  prefix: '' | 'to-' = 'to-',
): Promise<Service> {
  const given = values[`${prefix}url`]
  const url = requireHalyardUrl(`--${prefix}url`, given)
  const local = given ? null : readCredentials(LOCAL_CREDENTIALS)
  const project = values[`${prefix}project`] ?? local?.project_id.toString()
  if (!project) throw new UsageError(`--${prefix}url needs --${prefix}project, the id of a project there.`)
  return { url, project, key: await readHalyardKey(url), say }
}
