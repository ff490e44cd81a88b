// The target of a sign-in: always a page of this service.

export const HOME = '/'

/** Returns the page on which a user sets up the second factor that an organization requires. @param next the page to continue on */
export const twoFactorPath = (next = HOME): string =>
  `/settings${next === HOME ? '' : `?${new URLSearchParams({ next }).toString()}`}#two-factor`

/** Falls back to the console for other origins. */
export function safeNext(next: string | null | undefined, origin: string): string {
  // Browsers treat `//host` and `/\host` as another site.
  if (!next || !/^\/(?![/\\])/.test(next)) return HOME
  const target = URL.parse(next, origin)
  // `/.//host` resolves to this site with a path that leads to another one.
  return target && target.origin === origin && !target.pathname.startsWith('//')
    ? target.pathname + target.search
    : HOME
}

export const STEP_PATHS = { password: '/login', code: '/login/code' } as const

export type SignInStep = keyof typeof STEP_PATHS

export const loginPath = (next: string, step: SignInStep = 'password'): string =>
  next === HOME ? STEP_PATHS[step] : `${STEP_PATHS[step]}?${new URLSearchParams({ next }).toString()}`
