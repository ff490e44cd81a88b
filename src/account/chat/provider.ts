// The OpenID Connect issuer that a deployment configures for its chat, and the names of its claims.
import { isLoopback } from '../../auth/client'
import type { OpenIdProvider } from '../openid/sign-in'

/** Settings of Slack, which are the defaults. */
const DEFAULTS = {
  issuer: 'https://slack.com',
  teamId: 'https://slack.com/team_id',
  teamName: 'https://slack.com/team_name',
  userId: 'https://slack.com/user_id',
}

export interface ChatProvider extends OpenIdProvider {
  claims: { teamId: string; teamName: string; userId: string }
}

/** Returns null without a client id or secret. */
export function chatProvider(env: Env): ChatProvider | null {
  if (!env.CHAT_CLIENT_ID || !env.CHAT_CLIENT_SECRET) return null
  const issuer = new URL(env.CHAT_ISSUER || DEFAULTS.issuer)
  return {
    issuer,
    isPlain: issuer.protocol === 'http:' && isLoopback(issuer),
    clientId: env.CHAT_CLIENT_ID,
    clientSecret: env.CHAT_CLIENT_SECRET,
    claims: {
      teamId: env.CHAT_CLAIM_TEAM_ID || DEFAULTS.teamId,
      teamName: env.CHAT_CLAIM_TEAM_NAME || DEFAULTS.teamName,
      userId: env.CHAT_CLAIM_USER_ID || DEFAULTS.userId,
    },
  }
}
