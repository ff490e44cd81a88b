// Features that SDKs have and this service does not: responses with which SDKs continue without them.

/** Responses to browsers, by path. */
export const EMPTY_LISTS: Readonly<Record<string, object>> = {
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/product_tours': { product_tours: [] },
  '/api/surveys': { surveys: [], survey_config: null },
  '/api/web_experiments': { experiments: [] },
}

/** Paths of OpenTelemetry. SDKs retry failures, so that telemetry is accepted and discarded. */
export const DISCARDED_TELEMETRY: readonly string[] = ['/i/v1/logs', '/i/v1/metrics', '/i/v1/traces']

/** OTLP's partial success, which clients must not repeat. */
export const DISCARDED = { partialSuccess: { errorMessage: 'This service does not store telemetry.' } }

/** Paths that only SDKs request: pages can read their 404s, too. */
export const SDK_PATHS: readonly string[] = [
  '/api/conversations/*',
  '/array/*',
  '/batch/*',
  '/capture/*',
  '/decide/*',
  '/e/*',
  '/engage/*',
  '/flags/*',
  '/i/*',
  '/s/*',
  '/static/*',
  '/track/*',
]
