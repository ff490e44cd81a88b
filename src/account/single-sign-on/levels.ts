// Levels that single sign-on gives to new members. It gives no ownership: who manages the provider would own the organization.
import * as z from 'zod'
import { OWNER } from '../../auth/actor'
import { MembershipLevel } from '../organizations/organization-record'

const GRANTABLE = [...MembershipLevel.values].filter((level) => level < OWNER)

export const GrantableLevel = z.literal(GRANTABLE)

/** In a sentence. */
export const grantableText = `${GRANTABLE.slice(0, -1).join(', ')} or ${GRANTABLE.at(-1)}`

export interface LevelRule {
  levelClaim: string | null
  levels: Readonly<Record<string, number>>
  defaultLevel: number
}

/** The highest level that a value of the claim has; without one, the default. The claim is a text or a list of texts. */
export function levelFrom({ levelClaim, levels, defaultLevel }: LevelRule, claims: Record<string, unknown>) {
  const claimed = levelClaim === null ? null : claims[levelClaim]
  const given = [claimed].flat().flatMap((value) => {
    const level = typeof value === 'string' && Object.hasOwn(levels, value) ? levels[value] : undefined
    return level === undefined ? [] : [level]
  })
  return given.length > 0 ? Math.max(...given) : defaultLevel
}
