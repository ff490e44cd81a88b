// Code samples of operations: the setup, then the call with the documented example.
import type { Operation } from '../../http/operation'
import { javascriptOf } from './javascript'
import { shellOf } from './shell'
import type { Call, Caller, SampleDocs, Step } from '../../http/docs/sample-steps'
import { SEGMENTS, SUBJECTS } from './subjects'

export interface CodeSample {
  lang: string
  label: string
  source: string
}

export type Sampled = Pick<Operation, 'id' | 'method' | 'scope' | 'access'> & {
  /** With `{name}` for parameters. */
  path: string
  /** The documented example; undefined without a body. */
  body: unknown
  /** Whether the response has a body. */
  answers: boolean
  /** Whether the operation never succeeds: then the status is the result. */
  refuses: boolean
  sample: SampleDocs | undefined
}

/** @throws Error for a path parameter without a sample value */
export function samplesOf(operation: Sampled): CodeSample[] {
  const steps = stepsOf(operation)
  const { answers, refuses } = operation
  const javascript = javascriptOf(steps, { answers })
  return [
    { lang: 'shell', label: 'curl', source: shellOf(steps, { withHeaders: refuses || !answers }) },
    ...(javascript === null ? [] : [{ lang: 'javascript', label: 'JavaScript', source: javascript }]),
  ]
}

/** The setup, then the operation itself. */
function stepsOf(operation: Sampled): Step[] {
  const { method, path } = operation
  const { before = [], as = callerOf(operation), query, path: segments } = sampleOf(operation)
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

function sampleOf({ path, sample }: Sampled): SampleDocs {
  const [, subject] = SUBJECTS.find(([paths]) => paths.test(path)) ?? []
  return { ...subject, ...sample }
}

function bodyOf(operation: Sampled): { body?: unknown } {
  if (operation.body === undefined) return {}
  const { body = operation.body, into } = sampleOf(operation)
  return { body: into ? { ...(body as object), ...into } : body }
}

const callerOf = ({ scope, access }: Sampled): Caller => {
  if (access === 'public') return 'anonymous'
  return scope === null ? 'session' : 'key'
}
