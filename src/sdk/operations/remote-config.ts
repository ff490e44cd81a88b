import * as z from 'zod'
import { project as exampleProject } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import type { SdkOperation } from '../operation'
import { tokenErrors, tokenField } from '../project-token'

const MAX_AGE_S = 300

/** `RemoteConfig` of posthog-js: everything except flags and events is off, so that it loads no further scripts. */
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
  surveys: false,
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
  paths: ['/array/:token/config'],
  summary: 'Read the configuration of browser SDKs',
  description: 'posthog-js reads this when it starts, before it evaluates flags.',
  security: 'projectToken',
  params: z.object({ token: z.string() }),
  responses: { 200: BrowserConfig, 401: ErrorBody },
  async handle({ params, projectOf }) {
    await projectOf(params.token)
    return Response.json(BROWSER_CONFIG, { headers: { 'Cache-Control': `public, max-age=${MAX_AGE_S}` } })
  },
}

export const browserConfigDocs = (): OperationDocs => ({
  parameters: { token: { description: `${tokenField}.`, example: exampleProject.api_token } },
  errors: { 401: tokenErrors() },
})
