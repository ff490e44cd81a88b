// Levels that single sign-on gives to new members. It never makes an owner, because the admin of the provider would then own the
// organization.
import * as z from 'zod'
import { OWNER } from '../../auth/actor'
import { MembershipLevel } from '../organizations/organization-record'

export const GRANTABLE = [...MembershipLevel.values].filter((level) => level < OWNER)

export const GrantableLevel = z.literal(GRANTABLE)

/** The levels as words of a sentence. */
export const grantableText = `${GRANTABLE.slice(0, -1).join(', ')} or ${GRANTABLE.at(-1)}`

export interface LevelRule {
  levelClaim: string | null
  levels: Readonly<Record<string, number>>
  defaultLevel: number
}

/** Returns the highest level that a value of the claim has, or else the default. The claim is a text or a list of texts. */
export function levelFrom({ levelClaim, levels, defaultLevel }: LevelRule, claims: Record<string, unknown>) {
  const claimed = levelClaim === null ? null : claims[levelClaim]
  const given = [claimed].flat().flatMap((value) => {
    const level = typeof value === 'string' && Object.hasOwn(levels, value) ? levels[value] : undefined
    return level === undefined ? [] : [level]
  })
  return given.length > 0 ? Math.max(...given) : defaultLevel
}
