// Steps of code samples.
import type { SampleCaller } from '../../http/docs/operation-docs'

/**
 * A call. `$NAME` in its path, query and body is a value that an earlier call stored; in a body `#$NAME` is that value without quotes. `$N` is a
 * random number.
 */
export interface Call {
  /** A comment. It may have letters, commas and colons only, because interactive zsh runs comments as commands. */
  says?: string
  as: SampleCaller
  /** The method in lower case. */
  method: string
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** Values of the response to store: for each name, the path in the JSON. */
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

/** Steps by name. A text among them is the name of other steps that are needed besides those of the variables. */
export type Setup = Readonly<Record<string, readonly (string | SampleStep)[]>>

export const isCall = (step: SampleStep): step is Call => 'method' in step
export const isPause = (step: SampleStep): step is Pause => 'seconds' in step

/** The variable whose value is the cookie file of a caller with a session. */
export const COOKIES: Partial<Record<SampleCaller, string>> = { session: '$JAR', newUser: '$ADA' }

/** Returns a call with an API key that creates something in the current project. */
export const create = (path: string, body: object, says?: string, keeps?: Call['keeps']): Call => ({
  ...(says ? { says } : {}),
  as: 'key',
  method: 'post',
  path: `/api/projects/@current/${path}/`,
  body,
  ...(keeps ? { keeps } : {}),
})

/** Returns a call with an API key that finds something in the current project. */
export const find = (path: string, query: Call['query'], keeps: Call['keeps']): Call => ({
  as: 'key',
  method: 'get',
  path: `/api/projects/@current/${path}/`,
  ...(query ? { query } : {}),
  ...(keeps ? { keeps } : {}),
})

/** Returns a call that sends an event as an SDK does. */
export const capture = (says: string, event: object): Call => ({
  says,
  as: 'anonymous',
  method: 'post',
  path: '/batch/',
  body: { api_key: '$TOKEN', batch: [event] },
})
