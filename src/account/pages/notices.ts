// What the settings page says after a form, or after coming back from the chat provider.
import type { Tone } from './layout'

/** By the word that the redirect carries: nothing of what a link says is shown as it stands. */
const DONE: Record<string, string> = {
  profile: 'Your profile is saved.',
  password: 'Your password is changed. All other browsers are signed out.',
  session: 'That browser is signed out.',
  sessions: 'All other browsers are signed out.',
  setup: 'Scan the code to go on.',
  'two-factor': 'Two-factor authentication is on. All other browsers are signed out.',
  'backup-codes': 'Here are your new backup codes.',
  'two-factor-off': 'Two-factor authentication is off.',
  key: 'Your key is ready.',
  'key-deleted': 'The key is deleted. It opens nothing any more.',
}

/** The notice for a link to the settings page, if there is one. */
export function noticeFor(query: URLSearchParams): { tone: Tone; text: string } | null {
  const done = query.get('done')
  if (done !== null && Object.hasOwn(DONE, done)) return { tone: 'good', text: DONE[done]! }
  if (query.has('chat_link_success')) return { tone: 'good', text: 'Your chat account is linked.' }
  if (query.has('chat_link_error')) {
    return { tone: 'bad', text: 'Your chat account could not be linked. Please start again.' }
  }
  return null
}
