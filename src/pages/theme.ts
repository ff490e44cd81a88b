const CHOSEN = /(?:^|;\s*)theme=(light|dark)(?:;|$)/

/** The theme that a person chose, or undefined. */
export const themeOf = (cookies: string | undefined): string | undefined => CHOSEN.exec(cookies ?? '')?.[1]

/** A page in the theme that a person chose in the console, which keeps it in a cookie; other responses as they are. */
export function withTheme(request: Request, response: Response): Response {
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response
  response.headers.append('Vary', 'Cookie')
  const theme = themeOf(request.headers.get('Cookie') ?? undefined)
  if (!theme) return response
  // The tag is that of the file, whose text changes here.
  response.headers.delete('ETag')
  return (
    new HTMLRewriter()
      .on('html', { element: (html) => void html.setAttribute('data-theme', theme) })
      // Until the style sheet is there, the background follows this.
      .on('meta[name=color-scheme]', { element: (meta) => void meta.setAttribute('content', theme) })
      .transform(response)
  )
}
