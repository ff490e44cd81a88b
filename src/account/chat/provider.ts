// The chat provider of a deployment: an OpenID Connect issuer, and the names of the claims that say who somebody is there (decision 22).
import { isLoopback } from '../../auth/loopback'

/** Claims that hold what a link records. The defaults are Slack's. */
const DEFAULTS = {
  issuer: 'https://slack.com',
  teamId: 'https://slack.com/team_id',
  teamName: 'https://slack.com/team_name',
  userId: 'https://slack.com/user_id',
}

export interface ChatProvider {
  issuer: URL
  /** Whether it may be asked without HTTPS: on one's own machine only. */
  isPlain: boolean
  clientId: string
  clientSecret: string
  claims: { teamId: string; teamName: string; userId: string }
}

/** The provider that the environment configures; null while it has no client id or no secret. */
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
