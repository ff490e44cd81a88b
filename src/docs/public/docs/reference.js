// Draws the reference page from /openapi.json. Nothing is asked of any other host, and nothing of a key is kept.

/** Whoever signed in at /login may try operations as themselves: what changes something has to repeat this cookie (decision 10). */
const csrfToken = () => document.cookie.match(/(?:^|; )posthog_csrftoken=([^;]*)/)?.[1]

const ownSession = ({ request }) => {
  const token = csrfToken()
  if (token && !['GET', 'HEAD'].includes(request.method)) request.headers.set('X-CSRFToken', token)
}

// Colours are those of the pages for people (src/account/pages/style.ts).
const customCss = `
  .light-mode { --scalar-color-accent: #1f5fd6; --scalar-background-accent: #1f5fd61a; }
  .dark-mode { --scalar-color-accent: #7aa7ff; --scalar-background-accent: #7aa7ff1f; }
  .scalar-app { --scalar-font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
`

Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  customCss,
  // Samples are the document's own: made to be pasted, and tried.
  hiddenClients: true,
  documentDownloadType: 'json',
  modelsSectionLabel: 'Schemas',
  showOperationId: true,
  onRequestBuilt: ownSession,
  // Everything that would leave this origin, or advertise what does.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
})
