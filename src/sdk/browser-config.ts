// What a browser SDK wants to know of the service before it starts. The same for every project: flags and events, and none of what else such
// a client could do by itself, so that it loads no scripts for features that are not there.

/** The configuration, in the words of posthog-js (`RemoteConfig`). */
export const browserConfig = {
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
