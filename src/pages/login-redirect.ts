// Where a sign-in leads to: a page of this service, or none.

const HOME = '/settings'

/** The page that `next` names, or the settings page for anything that could lead elsewhere. */
export function safeNext(next: string | null | undefined, origin: string): string {
  // Browsers read `//host` and `/\host` as another site; what is left has to resolve to this one.
  if (!next || !/^\/(?![/\\])/.test(next)) return HOME
  const target = URL.parse(next, origin)
  // `/.//host` is a page of this site, whose path leads to another one.
  return target && target.origin === origin && !target.pathname.startsWith('//')
    ? target.pathname + target.search
    : HOME
}

/** The page of a step of signing in. */
export const STEP_PATHS = { password: '/login', code: '/login/code' } as const

export type SignInStep = keyof typeof STEP_PATHS

/** The sign-in page that leads to `next`; its first step, unless told. */
export const loginPath = (next: string, step: SignInStep = 'password'): string =>
  next === HOME ? STEP_PATHS[step] : `${STEP_PATHS[step]}?${new URLSearchParams({ next }).toString()}`
