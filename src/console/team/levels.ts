// Defines the levels of members as the API has them.
import type { Member, User } from '../api/client'

export type Level = Member['level']

export const MEMBER = 1

/** The level from which a member manages the organization. */
export const ADMIN = 8

export const OWNER = 15

/** Returns the level up to which the user may change something: staff who impersonate another user may only read. */
export const levelOf = ({
  organization,
  is_impersonated_read_only: isReadOnly,
}: Pick<User, 'organization' | 'is_impersonated_read_only'>): Level =>
  isReadOnly ? 0 : (organization?.membership_level ?? 0)

const LEVELS: readonly (readonly [Level, string])[] = [
  [0, 'Viewer'],
  [MEMBER, 'Member'],
  [ADMIN, 'Admin'],
  [OWNER, 'Owner'],
]

/** The levels that a member of a level may give, as options of a select. */
export const levelOptions = (level: Level) =>
  LEVELS.filter(([each]) => each <= level).map(([each, name]) => [String(each), name] as const)

export const levelName = (level: Level): string =>
  LEVELS.find(([each]) => each === level)?.[1] ?? String(level)
