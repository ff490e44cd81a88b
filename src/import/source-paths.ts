// The paths of a source that an import may call.
import { isObject, type JsonObject } from '../json'
import type { SourceCall } from './source-call'

interface Allowed {
  method: SourceCall['method']
  /** Of the path without its query. A segment has no dots, encoded or not, which would lead elsewhere. */
  path: RegExp
  /** Whether a body only reads. */
  isRead?(body: JsonObject): boolean
}

const PROJECT = String.raw`/api/projects/(?:%40)?[\w-]+/`

const inProject = (path: string) => new RegExp(`^${PROJECT}${path}$`)

const isQuery = ({ query }: JsonObject): boolean =>
  isObject(query ?? null) && (query as JsonObject).kind === 'HogQLQuery'

const PATHS: Readonly<Record<SourceCall['source'], readonly Allowed[]>> = {
  posthog: [
    { method: 'GET', path: /^\/api\/projects\/$/ },
    {
      method: 'GET',
      path: inProject(
        '(?:(?:groups_types|groups|persons|cohorts|feature_flags|insight_variables|endpoints|dashboards|scheduled_changes|webhooks|approval_policies|event_definitions|property_definitions)/)?',
      ),
    },
    { method: 'GET', path: inProject(String.raw`feature_flags/(?:activity|\d+/remote_config)/`) },
    { method: 'GET', path: inProject(String.raw`dashboards/\d+/`) },
    { method: 'GET', path: /^\/api\/organizations\/[\w-]+\/members\/$/ },
    { method: 'GET', path: inProject(String.raw`cohorts/\d+/persons/`) },
    { method: 'GET', path: inProject(String.raw`endpoints/[\w-]+/versions/`) },
    { method: 'POST', path: inProject('query/'), isRead: isQuery },
    { method: 'POST', path: /^\/flags\/$/ },
  ],
  unleash: [
    { method: 'GET', path: /^\/api\/admin\/(?:environments|segments)$/ },
    { method: 'POST', path: /^\/api\/admin\/(?:features-batch\/export|playground)$/ },
  ],
}

/** Visible ASCII: URLs drop other characters, or encode them. */
const PLAIN = /^[!-~]*$/

/** Whether an import makes such a call. */
export function isImportRead({ source, method, path, body }: Omit<SourceCall, 'url' | 'key'>): boolean {
  const [pathname = ''] = path.split('?')
  if (!PLAIN.test(path) || path.includes('#') || (method === 'GET') !== (body === undefined)) return false
  return PATHS[source].some(
    (allowed) =>
      allowed.method === method &&
      allowed.path.test(pathname) &&
      (allowed.isRead?.(body as JsonObject) ?? true),
  )
}
