// Accounts and whatever comes with every request: cookies, keys, user agents, addresses, signed tokens, answers of other services.
import { deviceOf } from '../../../../src/account/sign-in/device'
import { normalizeCode } from '../../../../src/account/two-factor/codes'
import { clientOf, networkOf } from '../../../../src/auth/client'
import { cookieOf, SESSION_COOKIE } from '../../../../src/auth/cookies'
import { requireCsrfToken } from '../../../../src/auth/csrf'
import { findKeyCredential } from '../../../../src/auth/key-credential'
import { boundedText } from '../../../../src/bounded-text'
import { taggedJson } from '../../../../src/sdk/etag'
import { printable } from '../../../../src/import/printable'
import { withTheme } from '../../../../src/pages/theme'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, repeated, type Shapes, TEXTS, texts } from '../shapes'

const URL_OF_APP = 'http://localhost/'
/** Of all headers together, on Cloudflare. */
const MAX_HEADER = 128 * 1024

const TEXTS_OF_HEADERS: Shapes<string> = mapped(
  {
    ...TEXTS,
    'cookies of one name': repeated('sessionid=a; '),
    'cookies of a theme': repeated('theme= ;'),
    'browsers in brackets': repeated('Mozilla/5.0 (x; '),
    browsers: repeated('Chrome/1.0 Safari/1.0 '),
    'systems of a browser': repeated('Windows NT 10.0; ', 'Mozilla/5.0 ('),
    'entity tags': repeated('W/"a",'),
    'parts of an address': repeated(':0'),
  },
  (text) => text.replaceAll(/[^\x20-\xff]/g, ' '),
)

const requestWith = (name: string, value: string) => new Request(URL_OF_APP, { headers: { [name]: value } })

const HEADERS: Record<string, (text: string) => unknown> = {
  Cookie: (text) => cookieOf(requestWith('Cookie', text), SESSION_COOKIE),
  'Cookie of a theme': (text) => withTheme(requestWith('Cookie', text), new Response('')),
  'User-Agent': (text) => deviceOf(clientOf(requestWith('User-Agent', text)).userAgent),
  Authorization: (text) => findKeyCredential({ header: () => text, query: () => text }, () => null),
  'CF-Connecting-IP': networkOf,
  'If-None-Match': (text) => taggedJson(requestWith('If-None-Match', text), {}),
  'X-CSRFToken': (text) => requireCsrfToken(new Request(URL_OF_APP, { method: 'POST' }), 'secret', text),
  Referer: (text) =>
    requireCsrfToken(new Request(URL_OF_APP, { method: 'POST', headers: { Referer: text } }), 'secret', 'a'),
}

const headers = Object.entries(HEADERS).map(([name, read]) => entry(name, MAX_HEADER, TEXTS_OF_HEADERS, read))

/** A body that arrives in many small parts. */
async function* parts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 16) yield bytes.subarray(at, at + 16)
}

const MAX_ANSWER = 1024 * 1024

const ENTRIES: readonly Entry[] = [
  ...headers,
  entry('a code', MAX_ANSWER, TEXTS, normalizeCode),
  // The work depends on bytes: those of one, two, three and four for a character.
  entry(
    'an answer of another service',
    MAX_ANSWER,
    texts(
      'one letter',
      'null characters',
      'letters beyond ASCII',
      'letters that grow when they are normalized',
      'emoji',
      'half characters',
    ),
    (text) => boundedText(parts(text), MAX_ANSWER),
  ),
  entry('the message of another service', MAX_ANSWER, TEXTS, printable),
]

itGrowsLinearly('accounts', ENTRIES)
