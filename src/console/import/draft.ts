// What a person enters to import a project, and what is wrong with it.
import { CallError } from '../../import/call'
import { InputError, type Stream } from '../../import/model'
import { messageOf, Problem } from '../api/problem'

export const KINDS = [
  ['posthog', 'PostHog or another Halyard'],
  ['unleash', 'Unleash'],
  ['file', 'A file of npm run export'],
] as const
export type Kind = (typeof KINDS)[number][0]

export interface Draft {
  kind: Kind
  url: string
  key: string
  /** Id of a project of PostHog; name of one of Unleash. */
  project: string
  environment: string
  file: File | null
  /** Whether persons and groups come along. */
  persons: boolean
  events: boolean
  overwrite: boolean
}

export const EMPTY: Draft = {
  kind: 'posthog',
  url: '',
  key: '',
  project: '',
  environment: '',
  file: null,
  persons: false,
  events: false,
  overwrite: false,
}

export type FieldName = 'url' | 'key' | 'project' | 'environment' | 'file'
export type FieldErrors = Partial<Record<FieldName, string>>

/** Without spaces around it, and without a slash at its end. */
export function addressOf({ url }: Draft): string {
  const address = url.trim()
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  return address.slice(0, end)
}

export const streamsOf = ({ kind, persons, events }: Pick<Draft, 'kind' | 'persons' | 'events'>): Stream[] =>
  kind === 'unleash'
    ? []
    : [...(persons ? (['person', 'group'] as const) : []), ...(events ? (['event'] as const) : [])]

/** What has to be entered before anything can be called. */
export function missingIn(draft: Draft): FieldErrors {
  const errors: FieldErrors = {}
  if (draft.kind === 'file') return draft.file ? {} : { file: 'Choose a file.' }
  if (!/^https?:\/\/./.test(draft.url.trim()) || !URL.canParse(draft.url.trim()))
    errors.url = 'Enter an address that begins with https://, such as https://eu.posthog.com.'
  if (draft.key.trim() === '') errors.key = 'Enter a key of the source.'
  if (draft.kind === 'posthog' && draft.project.trim() === '')
    errors.project = 'Enter the id of a project, or list those that the key may read.'
  return errors
}

/** The field that an error is about, with its text; null for an error of the whole. */
export function fieldErrorsOf(error: unknown, draft: Draft): FieldErrors | null {
  const message = messageOf(error)
  if (error instanceof InputError) return { [error.field]: `It ${message}` }
  if (error instanceof Problem)
    return error.attr === 'url' || error.attr === 'key' ? { [error.attr]: message } : null
  if (!(error instanceof CallError) || error.url !== addressOf(draft)) return null
  switch (error.status) {
    case 401:
    case 403:
      return { key: message }
    case 404:
      return { [draft.kind === 'posthog' ? 'project' : 'url']: message }
    default:
      return error.status === null || (error.status >= 300 && error.status < 400) ? { url: message } : null
  }
}
