// Steps of code samples.

/** Credentials: an API key, the project's token, none, the session in `$JAR`, or that of a user whom the sample creates. */
export type Caller = 'key' | 'token' | 'anonymous' | 'session' | 'newUser'

/**
 * A call. `$NAME` in its path, query and body is a value that an earlier call stored; in a body `#$NAME` is that value without quotes. `$N` is a
 * random number.
 */
export interface Call {
  /** A comment of letters, commas and colons: interactive zsh runs comments as commands. */
  says?: string
  as: Caller
  /** In lower case. */
  method: string
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** Stores one value of the response: its name, and its path in the JSON. */
  keeps?: Readonly<Record<string, string>>
}

/** Shell commands: cookies, and codes of an authenticator. */
export interface Lines {
  shell: string
}

export interface Pause {
  says: string
  seconds: number
}

export type SampleStep = Call | Lines | Pause

/** What the sample of an operation needs besides its literal. */
export interface SampleDocs {
  /** Calls before it. */
  before?: readonly SampleStep[]
  /** Parameters of the path. */
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Replaces the document's example. */
  body?: unknown
  /** Fields that override those of the document's example or of `body`. */
  into?: Readonly<Record<string, unknown>>
  as?: Caller
}

export const isCall = (step: SampleStep): step is Call => 'method' in step
export const isPause = (step: SampleStep): step is Pause => 'seconds' in step

/** A call with an API key in the current project. */
export const inProject = (path: string, body: unknown, rest: Partial<Call> = {}): Call => ({
  as: 'key',
  method: 'post',
  path: `/api/projects/@current/${path}`,
  body,
  ...rest,
})
