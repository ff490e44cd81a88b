// Writes code samples of operations: the setup, then the call with the documented example.
import type { Operation } from '../../http/operation'
import { shellOf } from './shell'
import type { SampleCaller, SampleDocs } from '../../http/docs/operation-docs'
import { samplePath } from './path-values'
import { stepsBefore } from './setup'
import type { Call, SampleStep } from './steps'

export type Sampled = Pick<Operation, 'id' | 'method' | 'scope' | 'access'> & {
  /** The path, with `:name` for parameters. */
  path: string
  /** The documented example, or undefined without a body. */
  body: unknown
  /** Whether the sample prints the response body. Otherwise it also prints the headers. */
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

/** Returns the setup, then the operation itself. */
function stepsOf(operation: Sampled): SampleStep[] {
  const { method, path } = operation
  const { needs, as = callerOf(operation), query, path: segments } = operation.sample
  const call: Call = {
    as,
    method,
    path: samplePath(path, segments),
    ...(query ? { query } : {}),
    ...bodyOf(operation),
  }
  return [...stepsBefore(call, needs), call]
}

function bodyOf(operation: Sampled): { body?: unknown } {
  if (operation.body === undefined) return {}
  const { body = operation.body, into } = operation.sample
  return { body: into ? { ...(body as object), ...into } : body }
}

const callerOf = ({ scope, access }: Sampled): SampleCaller => {
  if (access === 'public') return 'anonymous'
  return scope === null ? 'session' : 'key'
}
