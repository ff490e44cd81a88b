// Checks what browsers get: the redirect to HTTPS, headers, pages and scripts.
import type { Check } from '../check'
import { ensure, Skip } from '../outcome'
import { type Answer, describe } from '../service'

/** @throws Failure for a header without one of the texts */
function requireHeader({ headers }: Answer, path: string, name: string, texts: readonly string[]): void {
  const value = headers.get(name)
  for (const text of texts)
    ensure(
      value?.includes(text),
      `${path} has ${value === null ? `no ${name}` : `${name}: ${value}`}, without "${text}"`,
    )
}

const HEADERS =
  'The Worker sends the header, so that a rule in front of it removes or replaces it. Look at Rules → Transform Rules and Snippets of the zone, and at proxies.'

const ASSETS =
  'Deploy with `npm run deploy`, which builds the console, the reference and the guides, and uploads src/public. Keep [assets] in wrangler.toml as it is.'

const PAGE = { Accept: 'text/html' }
const ORIGIN = 'https://halyard-verify.example'

export const pageChecks: readonly Check[] = [
  {
    name: 'HTTP leads to HTTPS',
    async check({ service }) {
      const { protocol, hostname, port } = new URL(service.url)
      if (protocol === 'http:' && service.isLocal) throw new Skip('the address is one of this machine')
      ensure(
        protocol === 'https:',
        `${service.url} is not encrypted: keys and events can be read on their way`,
      )
      if (port) throw new Skip(`port ${port} speaks HTTPS only`)
      if (hostname.endsWith('.workers.dev'))
        throw new Skip('workers.dev has no setting for it; browsers know that .dev is HTTPS only')
      const answer = await service.send('GET', `http://${hostname}/health`)
      const location = answer.headers.get('Location') ?? ''
      const isRedirect = answer.status >= 301 && answer.status <= 308 && location.startsWith('https://')
      ensure(isRedirect, `http://${hostname}/health answered ${answer.status} without a redirect to https://`)
    },
    advice:
      'Turn on "Always Use HTTPS" of the zone (SSL/TLS → Edge Certificates), and call the service by https:// only.',
  },
  {
    name: 'Answers of the API have the headers that protect them',
    async check({ service }) {
      const path = '/api/projects/?limit=1'
      const answer = await service.sendWithKey('GET', path)
      requireHeader(answer, path, 'X-Content-Type-Options', ['nosniff'])
      requireHeader(answer, path, 'Cache-Control', ['no-store'])
      requireHeader(answer, path, 'Content-Security-Policy', ["default-src 'none'"])
      requireHeader(answer, path, 'X-Request-Id', ['-'])
    },
    advice: HEADERS,
  },
  {
    name: 'The sign-in page is served, with its policy',
    async check({ service }) {
      const first = await service.send('GET', '/', { headers: PAGE })
      ensure(first.headers.get('Location') === '/login', describe('GET / without a session', first))
      const page = await service.read('/login', PAGE)
      ensure(page.text.includes('<form'), describe('GET /login', page))
      requireHeader(page, '/login', 'Content-Security-Policy', [
        "default-src 'none'",
        "frame-ancestors 'none'",
      ])
      const [style] = /\/assets\/[\w.-]+\.css/.exec(page.text) ?? []
      ensure(style, '/login names no style sheet')
      await service.read(style)
    },
    advice: `${HEADERS} ${ASSETS}`,
  },
  {
    name: 'The console is served, with its policy and scripts',
    async check({ service }) {
      // The page is the same for every session; the API checks whether a session is valid.
      const page = await service.read('/', { ...PAGE, Cookie: 'sessionid=halyard-verify' })
      requireHeader(page, '/', 'Content-Security-Policy', ["script-src 'self'", "frame-ancestors 'none'"])
      const [, nonce] = /'nonce-([\w-]+)'/.exec(page.headers.get('Content-Security-Policy') ?? '') ?? []
      ensure(nonce && page.text.includes(nonce), 'the page does not have the nonce of its policy')
      const [script] = /\/console\/assets\/[\w.-]+\.js/.exec(page.text) ?? []
      ensure(script, 'the page names no script')
      requireHeader(await service.read(script), script, 'Content-Type', ['javascript'])
    },
    advice: `${HEADERS} ${ASSETS}`,
  },
  {
    name: 'The reference and the guides are served, with their policy',
    async check({ service }) {
      const page = await service.read('/docs')
      requireHeader(page, '/docs', 'Content-Security-Policy', ["script-src 'self'"])
      const [script] = /\/docs\/scalar\.js[^"]*/.exec(page.text) ?? []
      ensure(script, '/docs does not name its script')
      await service.read(script)
      await service.read('/docs/guide/')
    },
    advice: `${HEADERS} ${ASSETS}`,
  },
  {
    name: 'Pages of other origins evaluate flags, and manage nothing',
    async check({ service }) {
      const preflight = (path: string) =>
        service.send('OPTIONS', path, {
          headers: {
            Origin: ORIGIN,
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type',
          },
        })
      const flags = await preflight('/flags/?v=2')
      requireHeader(flags, '/flags/', 'Access-Control-Allow-Origin', [ORIGIN])
      requireHeader(flags, '/flags/', 'Access-Control-Allow-Methods', ['POST'])
      const api = (await preflight('/api/projects/')).headers.get('Access-Control-Allow-Origin')
      ensure(api === null, `/api/projects/ has Access-Control-Allow-Origin: ${api}`)
    },
    advice: `Rules in front of the Worker must not answer OPTIONS, nor add or remove Access-Control headers. ${HEADERS}`,
  },
  {
    name: 'The scripts and the settings of posthog-js are served',
    async check({ service, project }) {
      const { token } = await project()
      const script = await service.read('/static/array.js')
      requireHeader(script, '/static/array.js', 'Content-Type', ['javascript'])
      requireHeader(script, '/static/array.js', 'Access-Control-Allow-Origin', ['*'])
      const settings = await service.read(`/array/${token}/config`)
      ensure(
        settings.json<{ hasFeatureFlags?: boolean }>().hasFeatureFlags,
        describe('GET /array/…/config', settings),
      )
    },
    advice: ASSETS,
  },
]
