// A sample for every operation: what it needs first, then the call itself with the document's own example.
import type { Operation } from '../../http/operation'
import { javascriptOf } from './javascript'
import { shellOf } from './shell'
import type { Call, Caller, SampleDocs, Step } from '../../http/docs/sample-steps'
import { SEGMENTS, SUBJECTS } from './subjects'

/** A sample as `x-codeSamples` has it. */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

export type Sampled = Pick<Operation, 'id' | 'method' | 'scope' | 'access'> & {
  /** As OpenAPI writes it. */
  path: string
  /** What the document shows as its body; undefined where it takes none. */
  body: unknown
  /** Whether the answer has a body. */
  answers: boolean
  /** Whether the operation is there to be refused, or to lead on: then the status is the answer. */
  refuses: boolean
  sample: SampleDocs | undefined
}

/** The samples of an operation. @throws Error for a path that nothing is known of */
export function samplesOf(operation: Sampled): CodeSample[] {
  const steps = stepsOf(operation)
  const { answers, refuses } = operation
  const javascript = javascriptOf(steps, { answers })
  return [
    { lang: 'shell', label: 'curl', source: shellOf(steps, { withHeaders: refuses || !answers }) },
    ...(javascript === null ? [] : [{ lang: 'javascript', label: 'JavaScript', source: javascript }]),
  ]
}

/** What is done, step by step; the operation itself comes last. */
function stepsOf(operation: Sampled): Step[] {
  const { method, path } = operation
  const { before = [], as = callerOf(operation), query, path: segments } = needOf(operation)
  const call: Call = {
    as,
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = segments?.[name] ?? SEGMENTS[name]
      if (value === undefined) throw new Error(`${operation.id} has no sample for ${name}`)
      return value
    }),
    ...(query ? { query } : {}),
    ...bodyOf(operation),
  }
  return [...before, call]
}

function needOf({ path, sample }: Sampled): SampleDocs {
  const [, subject] = SUBJECTS.find(([paths]) => paths.test(path)) ?? []
  return { ...subject, ...sample }
}

function bodyOf(operation: Sampled): { body?: unknown } {
  if (operation.body === undefined) return {}
  const { body = operation.body, into } = needOf(operation)
  return { body: into ? { ...(body as object), ...into } : body }
}

const callerOf = ({ scope, access }: Sampled): Caller => {
  if (access === 'anybody') return 'nobody'
  return scope === null ? 'session' : 'key'
}
