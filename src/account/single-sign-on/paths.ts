// Pages of single sign-on.
import { HOME } from '../../pages/login-redirect'

export const SSO_PATHS = {
  start: '/login/sso',
  test: '/login/sso/test',
  callback: '/login/sso/callback',
  link: '/login/sso/link',
} as const

/** Returns the callback URL, which is the same for all organizations. The state says which organization it is. */
export const redirectUriOf = ({ origin }: URL): string => origin + SSO_PATHS.callback

export const ssoPath = (next: string): string =>
  next === HOME ? SSO_PATHS.start : `${SSO_PATHS.start}?${new URLSearchParams({ next }).toString()}`
