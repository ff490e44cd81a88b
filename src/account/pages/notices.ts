// What the settings page says after a form, or after coming back from the chat provider.
import type { PageNotice } from '../../pages/layout'

/** By the word that the redirect carries, with the section to say it in: nothing of what a link says is shown as it stands. */
const DONE: Record<string, readonly [section: string, text: string]> = {
  profile: ['profile', 'Your profile is saved.'],
  password: ['password-section', 'Your password is changed. All other browsers are signed out.'],
  session: ['sessions', 'That browser is signed out.'],
  sessions: ['sessions', 'All other browsers are signed out.'],
  // The section itself says how to go on.
  setup: ['two-factor', ''],
  'two-factor': ['two-factor', 'Two-factor authentication is on. All other browsers are signed out.'],
  'backup-codes': ['two-factor', 'Here are your new backup codes.'],
  'two-factor-off': ['two-factor', 'Two-factor authentication is off.'],
  key: ['keys', 'Your key is ready.'],
  'key-deleted': ['keys', 'The key is deleted. It opens nothing any more.'],
}

/** Where a form leads to that did what `done` says. */
export const pathAfter = (done: string): string => `/settings?done=${done}#${DONE[done]?.[0] ?? ''}`

/** The notice for a link to the settings page, if there is one. */
export function noticeFor(query: URLSearchParams): PageNotice | null {
  const done = query.get('done')
  if (done !== null && Object.hasOwn(DONE, done)) {
    const [section, text] = DONE[done]!
    return text === '' ? null : { tone: 'good', text, section }
  }
  if (query.has('chat_link_success')) {
    return { tone: 'good', text: 'Your chat account is linked.', section: null }
  }
  if (query.has('chat_link_error')) {
    return {
      tone: 'bad',
      text: 'Your chat account could not be linked. Please start again.',
      section: null,
    }
  }
  return null
}

/** What was refused, in the section of the form that asked. */
export const errorNotice = (section: string, text: string): PageNotice => ({ tone: 'bad', text, section })
