// On every page, for staff who use the console as another user.
import type { User } from '../api/client'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import { signOut } from './sign-out'

export const ImpersonationNotice = ({ me }: { me: User }) => (
  <Notice tone="warn">
    <strong>You are impersonating {me.email}.</strong> Reason: {me.is_impersonated_reason}.{' '}
    {me.is_impersonated_read_only ? 'You can read everything and change nothing. ' : ''}
    You cannot change the user’s personal data.{' '}
    <Button isSmall onClick={signOut}>
      Back to your own account
    </Button>
  </Notice>
)
