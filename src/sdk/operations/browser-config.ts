import * as z from 'zod'
import { project as exampleProject } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import type { SdkOperation } from '../operation'
import { tokenErrors, tokenField } from '../project-token'

const MAX_AGE_S = 300

/**
 * The `RemoteConfig` of posthog-js. Everything except flags and events is off, so that it loads no further scripts. `surveys` is left
 * out, because older versions load the script of surveys for any value.
 */
export const BROWSER_CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: true,
  defaultIdentifiedOnly: true,
  autocapture_opt_out: true,
  autocaptureExceptions: false,
  captureDeadClicks: false,
  capturePerformance: false,
  conversations: false,
  heatmaps: false,
  productTours: false,
  sessionRecording: false,
  siteApps: [],
  toolbarParams: {},
  isAuthenticated: false,
}

export const BrowserConfig = z
  .looseObject({ supportedCompression: z.array(z.string()), hasFeatureFlags: z.boolean() })
  .meta({ id: 'BrowserConfig' })

export const BrowserConfigDocs = (): SchemaDocs => ({
  description:
    'Features that a browser SDK enables besides flags and events: none. The same for every project; fields as in posthog-js.',
  fields: {
    supportedCompression: 'Supported compressions of bodies.',
    hasFeatureFlags: 'Whether to evaluate flags.',
  },
  example: BROWSER_CONFIG,
})

export const browserConfigOperation: SdkOperation = {
  id: 'remote_config',
  methods: ['get'],
  paths: ['/array/:token/config', '/array/:token/config.js'],
  summary: 'Read the configuration of browser SDKs',
  description:
    'posthog-js reads this when it starts, as JSON here or as a script at `/array/:token/config.js`.',
  security: 'projectToken',
  params: z.object({ token: z.string() }),
  responses: { 200: BrowserConfig, 401: ErrorBody },
  async handle({ params, url, projectOf }) {
    await projectOf(params.token)
    const headers = { 'Cache-Control': `public, max-age=${MAX_AGE_S}` }
    if (!/\.js\/?$/.test(url.pathname)) return Response.json(BROWSER_CONFIG, { headers })
    return new Response(scriptFor(params.token!), {
      headers: { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' },
    })
  },
}

/**
 * Returns the configuration as a script, which posthog-js loads first. The token has to be known, because it becomes part of the script.
 */
const scriptFor = (token: string): string =>
  `(window._POSTHOG_REMOTE_CONFIG = window._POSTHOG_REMOTE_CONFIG || {})[${JSON.stringify(token.trim())}] = ${JSON.stringify(
    { config: BROWSER_CONFIG, siteApps: [] },
  )};\n`

export const browserConfigDocs = (): OperationDocs => ({
  parameters: { token: { description: `${tokenField}.`, example: exampleProject.api_token } },
  errors: { 401: tokenErrors() },
})
