const CHOSEN = /(?:^|;\s*)theme=(light|dark)(?:;|$)/

/** A page in the theme that a person chose in the console, which keeps it in a cookie; other responses as they are. */
export function withTheme(request: Request, response: Response): Response {
  const theme = CHOSEN.exec(request.headers.get('Cookie') ?? '')?.[1]
  if (!theme || !response.headers.get('Content-Type')?.startsWith('text/html')) return response
  return new HTMLRewriter()
    .on('html', { element: (html) => void html.setAttribute('data-theme', theme) })
    .transform(response)
}
