import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { browserConfig } from '../browser-config'
import type { SdkOperation } from '../operation'

/** Seconds for which a browser, or a cache on the way, need not ask again. */
const MAX_AGE_S = 300

export const browserConfigOperation: SdkOperation = {
  id: 'remote_config',
  methods: ['get'],
  paths: ['/array/:token/config'],
  summary: 'Read what a browser SDK should do besides flags and events',
  description: 'posthog-js asks for this when it starts, before it asks for flags.',
  security: 'projectToken',
  params: z.object({ token: z.string() }),
  responses: {
    200: z
      .looseObject({ supportedCompression: z.array(z.string()), hasFeatureFlags: z.boolean() })
      .meta({ id: 'BrowserConfig' }),
    401: ErrorBody,
  },
  async handle({ params, projectOf }) {
    await projectOf(params.token)
    return Response.json(browserConfig, { headers: { 'Cache-Control': `public, max-age=${MAX_AGE_S}` } })
  },
}
