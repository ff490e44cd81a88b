// What a sample is made of: calls of the service, one after the other, each with what the next ones need of its answer.

/** Who calls: a key, the holder of the project's token, nobody, the session of `$JAR`, or that of somebody made for the sample. */
export type Caller = 'key' | 'token' | 'nobody' | 'session' | 'somebody'

/**
 * A call. `$NAME` in its path, query and body is the value that an earlier call kept; as a body's value `#$NAME` is that value as it stands, no
 * text. `$N` is a number that no other sample has.
 */
export interface Call {
  /** What it is for, in words that a shell which knows no comments does not stumble over: letters, commas and colons. */
  says?: string
  as: Caller
  /** In lower case. */
  method: string
  /** After the service's address. */
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** What is kept of the answer: the name of one value, and where in the answer it is. */
  keeps?: Readonly<Record<string, string>>
}

/** What only a shell does: cookies, and codes of an authenticator. */
export interface Lines {
  shell: string
}

/** Time for something to happen elsewhere. */
export interface Pause {
  says: string
  seconds: number
}

export type Step = Call | Lines | Pause

/** What the sample of an operation needs besides its literal. */
export interface SampleDocs {
  /** What is called first. */
  before?: readonly Step[]
  /** Parameters of the path. */
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Replaces the document's example. */
  body?: unknown
  /** Fields that override those of the document's example or of `body`. */
  into?: Readonly<Record<string, unknown>>
  as?: Caller
}

export const isCall = (step: Step): step is Call => 'method' in step
export const isPause = (step: Step): step is Pause => 'seconds' in step

/** A call as a key, of what stands in the current project. */
export const inProject = (path: string, body: unknown, rest: Partial<Call> = {}): Call => ({
  as: 'key',
  method: 'post',
  path: `/api/projects/@current/${path}`,
  body,
  ...rest,
})
