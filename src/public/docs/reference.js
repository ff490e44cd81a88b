// Draws the reference page from /openapi.json. Nothing is asked of any other host, and nothing of a key is kept.

/** Somebody who tries a list wants all of it first: what may be left out is there with its example, and not sent. */
function leaveOut(parameter) {
  if (parameter.required) return
  const { example, schema } = parameter
  const value = example ?? schema.default ?? schema.enum?.[0]
  if (value === undefined) return
  delete parameter.example
  parameter.examples = { example: { value, 'x-disabled': true } }
}

/** Whoever signed in at /login may try operations as themselves: what changes something has to repeat this cookie (decision 10). */
function asOneself({ request }) {
  const token = document.cookie.match(/(?:^|; )posthog_csrftoken=([^;]*)/)?.[1]
  if (token && !['GET', 'HEAD'].includes(request.method)) request.headers.set('X-CSRFToken', token)
}

// Colours are those of the pages for people (src/pages/style.ts).
const customCss = `
  .light-mode { --scalar-color-accent: #1f5fd6; --scalar-background-accent: #1f5fd61a; }
  .dark-mode { --scalar-color-accent: #7aa7ff; --scalar-background-accent: #7aa7ff1f; }
  .scalar-app { --scalar-font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
  /* What a link led to is not reached by keyboard: no ring around half the page. */
  [tabindex="-1"]:focus-visible { outline: none; }
`

async function draw() {
  const answer = await fetch('/openapi.json')
  if (!answer.ok) throw new Error(`/openapi.json: ${answer.status}`)
  const content = await answer.json()
  for (const methods of Object.values(content.paths)) {
    for (const { parameters } of Object.values(methods)) for (const each of parameters) leaveOut(each)
  }
  Scalar.createApiReference('#reference', {
    content,
    customCss,
    // The document has its own shell samples, which create what they need.
    hiddenClients: { shell: true },
    // The document is at /openapi.json, without what was changed in it here.
    documentDownloadType: 'none',
    modelsSectionLabel: 'Schemas',
    showOperationId: true,
    onRequestBuilt: asOneself,
    // Everything that would leave this origin, or advertise what does.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    persistAuth: false,
  })
}

draw().catch((error) => {
  document.getElementById('reference').textContent = `The reference could not be drawn. ${error.message}`
})
