// A browser for tests over HTTP: cookies per origin, redirects one step at a time.

export interface HttpBrowser {
  /** Sends a request with this browser's cookies; redirects are not followed. */
  open(url: string | URL, init?: { method?: string; form?: Record<string, string> }): Promise<Response>
  setCookie(url: string | URL, name: string, value: string): void
}

/**
 * Returns the target of a redirect.
 * @throws the response, if it is not a redirect
 */
export async function locationOf(response: Response, from: string | URL): Promise<URL> {
  const location = response.headers.get('Location')
  if (location === null) throw new Error(`${response.status} without a redirect: ${await response.text()}`)
  await response.body?.cancel()
  return new URL(location, from)
}

export function createBrowser(): HttpBrowser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string | URL) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  return {
    setCookie(url, name, value) {
      jarOf(url).set(name, value)
    },
    async open(url, { method = 'GET', form } = {}) {
      const jar = jarOf(url)
      const response = await fetch(url, {
        method: form ? 'POST' : method,
        redirect: 'manual',
        headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        jar.set(name, value)
      }
      return response
    },
  }
}
