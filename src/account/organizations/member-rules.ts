// Who may change or remove whom in an organization (decision 34). Pure.
import type { Actor } from '../../auth/actor'
import { ADMIN, OWNER } from '../../auth/levels'
import { requireRecentSession } from '../../auth/reauthentication'
import { invalid, permissionDenied } from '../../errors'

/** What the rules look at. */
export interface MemberFacts {
  /** The caller's own level, as the database has it now. */
  callerLevel: number
  /** Whether the caller acts on themselves. */
  isSelf: boolean
  /** The level of the member to change or remove. */
  level: number
  /** Whether the organization has an active owner besides that member. */
  hasOtherOwner: boolean
}

/** A new level, or the end of the membership. */
export type MemberChange = { kind: 'level'; level: number } | { kind: 'removal' }

/**
 * Checks a change of a member against every rule.
 * @throws 403 for a caller below admin, for somebody above the caller, for a level above the caller's own, and where admins or owners are
 *   concerned for a key or a session that signed in too long ago; 400 `last_owner` for the last owner.
 */
export function checkMemberChange(actor: Actor, facts: MemberFacts, change: MemberChange, now: Date): void {
  const { isSelf, level, hasOtherOwner } = facts
  const isLeaving = isSelf && change.kind === 'removal'
  if (!isLeaving) {
    requireRank(facts, change)
    if (level >= ADMIN || (change.kind === 'level' && change.level >= ADMIN)) {
      requireRecentSession(
        actor,
        now,
        'Making, changing or removing admins and owners needs a recent sign-in. Personal API keys can remove members only.',
      )
    }
  }
  if (level === OWNER && endsOwnership(change) && !hasOtherOwner) throw lastOwner()
}

/** Whether a change ends the ownership of an owner. */
export const endsOwnership = (change: MemberChange): boolean =>
  change.kind === 'removal' || change.level < OWNER

/** @throws 403, in upstream's words. */
function requireRank({ callerLevel, isSelf, level }: MemberFacts, change: MemberChange): void {
  if (callerLevel < ADMIN) {
    throw permissionDenied(
      isSelf
        ? 'Your organization access level is insufficient.'
        : 'You can only edit others if you are an admin.',
    )
  }
  if (level > callerLevel) {
    throw permissionDenied('You can only edit others with level lower or equal to you.')
  }
  if (change.kind === 'removal' || change.level <= callerLevel) return
  throw permissionDenied(
    change.level === OWNER
      ? "You can only make another member owner if you're this organization's owner."
      : 'You can only change access level of others to lower or equal to your current one.',
  )
}

/** 400. */
const lastOwner = () =>
  invalid(
    null,
    'The last owner of an organization can neither leave nor be demoted. Make another member owner first.',
    'last_owner',
  )
