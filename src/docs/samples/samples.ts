// Code samples of operations: the setup, then the call with the documented example.
import type { Operation } from '../../http/operation'
import { shellOf } from './shell'
import type { Call, Caller, SampleDocs, SampleStep } from '../../http/docs/sample-steps'

/** Segments that are the same everywhere. */
const SEGMENTS: Readonly<Record<string, string>> = {
  project_id: '@current',
  environment_id: '@current',
  organization_id: '@current',
  uuid: '@me',
  version_number: '1',
  token: '$TOKEN',
}

export type Sampled = Pick<Operation, 'id' | 'method' | 'scope' | 'access'> & {
  /** With `{name}` for parameters. */
  path: string
  /** The documented example; undefined without a body. */
  body: unknown
  /** Whether the sample prints the response body; else its headers too. */
  printsBody: boolean
  sample: SampleDocs
}

/** @throws Error for a path parameter without a sample value */
export const samplesOf = (operation: Sampled) => [
  {
    lang: 'shell',
    label: 'curl',
    source: shellOf(stepsOf(operation), { withHeaders: !operation.printsBody }),
  },
]

/** The setup, then the operation itself. */
function stepsOf(operation: Sampled): SampleStep[] {
  const { method, path } = operation
  const { before = [], as = callerOf(operation), query, path: segments } = operation.sample
  const call: Call = {
    as,
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = segments?.[name] ?? SEGMENTS[name]
      if (value === undefined) throw new Error(`${operation.id} has no sample value for ${name}`)
      return value
    }),
    ...(query ? { query } : {}),
    ...bodyOf(operation),
  }
  return [...before, call]
}

function bodyOf(operation: Sampled): { body?: unknown } {
  if (operation.body === undefined) return {}
  const { body = operation.body, into } = operation.sample
  return { body: into ? { ...(body as object), ...into } : body }
}

const callerOf = ({ scope, access }: Sampled): Caller => {
  if (access === 'public') return 'anonymous'
  return scope === null ? 'session' : 'key'
}
