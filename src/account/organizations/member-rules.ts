// Rules for changing and removing members: nobody changes a member of a higher level or gives a level above their own, and the last owner
// stays. Pure.
import { type Actor, ADMIN, OWNER } from '../../auth/actor'
import { requireRecentSession } from '../../auth/reauthentication'
import { invalid, permissionDenied } from '../../errors'

export interface MemberFacts {
  /** The caller's stored level. */
  callerLevel: number
  isSelf: boolean
  level: number
  /** Whether the organization has another active owner. */
  hasOtherOwner: boolean
}

export type MemberChange = { kind: 'level'; level: number } | { kind: 'removal' }

/**
 * @throws 403 for a caller below admin, a member or new level above the caller's, and, if admins or owners are concerned, for a key or a
 *   session that signed in too long ago; 400 `last_owner` for the last owner.
 */
export function checkMemberChange(actor: Actor, facts: MemberFacts, change: MemberChange, now: Date): void {
  const { isSelf, level, hasOtherOwner } = facts
  const isLeaving = isSelf && change.kind === 'removal'
  if (!isLeaving) requireRank(facts, change)
  // Also to leave: a leaked key must not remove its own admin.
  if (level >= ADMIN || (change.kind === 'level' && change.level >= ADMIN)) {
    requireRecentSession(
      actor,
      now,
      'Making, changing or removing admins and owners needs a recent sign-in. Personal API keys can change and remove members and viewers only.',
    )
  }
  if (level === OWNER && endsOwnership(change) && !hasOtherOwner) throw lastOwner()
}

export const endsOwnership = (change: MemberChange): boolean =>
  change.kind === 'removal' || change.level < OWNER

/** @throws 403 with upstream's texts. */
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

const lastOwner = () =>
  invalid(
    null,
    'The last owner of an organization can neither leave nor be demoted. Make another member owner first.',
    'last_owner',
  )
