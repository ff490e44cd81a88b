// The source that a person named, read from the browser.
import type { Source } from '../../import/model'
import type { TextFile } from '../../import/file/lines'
import { InputError } from '../../import/model'
import { sourceTransport } from '../api/import'
import { addressOf, type Draft } from './draft'
import type * as Engine from './engine'

export interface SourceContext {
  engine: typeof Engine
  /** Into which is imported. */
  projectId: number
  say(text: string): void
  signal: AbortSignal
}

/** @throws InputError for the project that is imported into. */
export function openSource(draft: Draft, { engine, projectId, say, signal }: SourceContext): Source {
  if (draft.kind === 'file') return engine.fileSource(textFileOf(draft.file!))
  const { kind } = draft
  const connection = { url: addressOf(draft), key: draft.key.trim() }
  const service = {
    ...connection,
    say,
    signal,
    send: sourceTransport(projectId, { ...connection, source: kind }),
  }
  if (kind === 'unleash')
    return engine.unleashSource({
      ...service,
      project: draft.project.trim() || 'default',
      environment: draft.environment.trim() || null,
    })
  const source = engine.posthogSource({ ...service, project: draft.project.trim() })
  if (source.id === engine.sourceId({ url: location.origin, project: String(projectId) }))
    throw new InputError('project', 'is the project that is imported into. Choose another one.')
  return source
}

export interface SourceProject {
  id: string
  name: string
}

/** The projects that a key of PostHog may list. */
export async function listProjects(
  draft: Draft,
  { engine, projectId, say, signal }: SourceContext,
): Promise<SourceProject[]> {
  const connection = { url: addressOf(draft), key: draft.key.trim() }
  const client = engine.createClient({
    ...connection,
    say,
    signal,
    headers: { Authorization: `Bearer ${connection.key}` },
    send: sourceTransport(projectId, { ...connection, source: 'posthog' }),
  })
  const rows = await engine.readList(client, '/api/projects/')
  return rows.map(({ id, name }) => ({ id: String(id), name: String(name) }))
}

const textFileOf = (file: File): TextFile => ({
  name: file.name,
  async *read(start) {
    const reader = file.slice(start).stream().getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(() => {
          throw new Error(`${file.name} was changed or moved since it was chosen. Choose it again.`)
        })
        if (done) return
        yield value
      }
    } finally {
      // A file that cannot be read cannot be cancelled either.
      await reader.cancel().catch(() => {})
    }
  },
})
