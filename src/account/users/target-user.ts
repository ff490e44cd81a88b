import { and, eq } from 'drizzle-orm'
import { users } from '../../../drizzle'
import { type Actor, type TargetUser, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'

/** Returns the id of the target user. @throws 404 if staff name an unknown or inactive user */
export async function targetUserId({
  deps,
  actor,
  targetUser,
}: {
  deps: Pick<Deps, 'db'>
  actor: Actor
  targetUser: TargetUser
}): Promise<number> {
  if (targetUser.isSelf) return userOf(actor)!.id
  const [user] = await deps.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.uuid, targetUser.uuid), eq(users.isActive, true)))
  if (!user) throw notFound()
  return user.id
}
