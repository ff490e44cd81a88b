// Who a user is in chat workspaces: the list of links, and taking one back (reference/account-api.md §5.5, §5.6).
import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { chatLinks } from '../../../drizzle'
import { notFound } from '../../errors'
import type { Database } from '../../storage/database'
import { shown } from '../../timestamps'

export const ChatLink = z
  .object({
    id: z.uuid(),
    kind: z.literal('chat'),
    chat_user_id: z.string(),
    chat_team_id: z.string(),
    chat_team_name: z.string().nullable(),
    chat_email_at_link: z.string().nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'ChatLink' })

/** The links of a user, oldest first. */
export async function listLinks(db: Database, userId: number): Promise<z.output<typeof ChatLink>[]> {
  const rows = await db
    .select()
    .from(chatLinks)
    .where(eq(chatLinks.userId, userId))
    .orderBy(asc(chatLinks.createdAt), asc(chatLinks.id))
  return rows.map((row) => ({
    id: row.id,
    kind: 'chat',
    chat_user_id: row.chatUserId,
    chat_team_id: row.workspaceId,
    chat_team_name: row.workspaceName,
    chat_email_at_link: row.emailAtLink,
    created_at: shown(row.createdAt),
  }))
}

/** Takes a link back. @throws 404 when the user has none for that identity. */
export async function unlink(db: Database, userId: number, chatUserId: string): Promise<void> {
  const deleted = await db
    .delete(chatLinks)
    .where(and(eq(chatLinks.userId, userId), eq(chatLinks.chatUserId, chatUserId)))
    .returning({ id: chatLinks.id })
  if (deleted.length === 0) throw notFound('No chat link found for this chat user id.')
}
