// Shows a notice on every page for users with limited access: staff who impersonate another user, and viewers.
import type { User } from '../api/client'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import { signOut } from './sign-out'

export default function AccessNotice({ me }: { me: User }) {
  if (!me.is_impersonated)
    return (
      <Notice>
        Your membership of {me.organization?.name} is read-only. Admins and owners can change your level.
      </Notice>
    )
  return (
    <Notice tone="warn">
      <strong>You are impersonating {me.email}.</strong> Reason: {me.is_impersonated_reason}.{' '}
      {me.is_impersonated_read_only ? 'You can read everything and change nothing. ' : ''}
      You cannot change the user’s personal data.{' '}
      <Button isSmall onClick={signOut}>
        Back to your own account
      </Button>
    </Notice>
  )
}
