// Features of SDKs that this service does not have. The responses make SDKs continue without them.

/** Responses to browsers by path. */
export const EMPTY_LISTS: Readonly<Record<string, object>> = {
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/product_tours': { product_tours: [] },
  '/api/surveys': { surveys: [], survey_config: null },
  '/api/web_experiments': { experiments: [] },
}

/** Paths of OpenTelemetry. Telemetry is accepted and discarded, because SDKs retry failures. */
export const DISCARDED_TELEMETRY: readonly string[] = ['/i/v1/logs', '/i/v1/metrics', '/i/v1/traces']

/** The partial success of OTLP, after which clients must not repeat a request. */
export const DISCARDED = { partialSuccess: { errorMessage: 'This service does not store telemetry.' } }

/** Paths that only SDKs request. Pages of any origin can read their 404s. */
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
