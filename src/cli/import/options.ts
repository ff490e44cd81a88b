// Options that the commands of this folder share.
import { UsageError } from '../command'
import { LOCAL_CREDENTIALS, readCredentials } from '../credentials'
import type { Stream } from './model'
import type { Service } from './posthog/source'
import { readSecret } from './secret'

/** Without a slash at its end. @throws UsageError. */
export function requireUrl(option: string, value: string | undefined): string {
  if (!value) throw new UsageError(`${option} must say where the service is.`)
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new UsageError(`${option} must be a URL such as https://eu.posthog.com, got "${value}".`)
  const { username, password } = new URL(value)
  if (username || password) throw new UsageError(`${option} may not contain a password: use --key.`)
  return value.replace(/\/+$/, '')
}

const STREAMS: Record<string, readonly Stream[]> = { persons: ['person', 'group'], events: ['event'] }

/** @throws UsageError. */
export function streamsOf(list: string | undefined): Stream[] {
  const names = list?.split(',').map((name) => name.trim()) ?? []
  return names.flatMap((name) => {
    const streams = Object.hasOwn(STREAMS, name) ? STREAMS[name] : undefined
    if (!streams) throw new UsageError(`--with takes ${Object.keys(STREAMS).join(' and ')}, got "${name}".`)
    return streams
  })
}

export async function sourceService(
  { url, key, project }: { url: string; key?: string; project?: string },
  say: Service['say'],
): Promise<Service> {
  if (!project) throw new UsageError('--project must be the id of a project of the source.')
  const secret = { value: key, option: '--key', variable: 'IMPORT_KEY', prompt: 'Key of the source' }
  return { url, project, say, key: await readSecret(secret) }
}

/** The service that `--to-…` names, or the local one. @throws UsageError. */
export async function targetService(
  values: { 'to-url'?: string; 'to-key'?: string; 'to-project'?: string },
  say: Service['say'],
): Promise<Service> {
  const local = values['to-url'] ? null : readCredentials(LOCAL_CREDENTIALS)
  const url = values['to-url'] ?? local?.base_url
  if (!url) throw new UsageError(`--to-url must say where to write: ${LOCAL_CREDENTIALS} does not exist.`)
  const project = values['to-project'] ?? local?.project_id.toString()
  if (!project) throw new UsageError('--to-project must be the id of a project of the target.')
  const key = await readSecret({
    value: values['to-key'] ?? (process.env.HALYARD_KEY || local?.personal_api_key),
    option: '--to-key',
    variable: 'HALYARD_KEY',
    prompt: 'Personal API key of the target',
  })
  return { url: requireUrl('--to-url', url), project, key, say }
}
