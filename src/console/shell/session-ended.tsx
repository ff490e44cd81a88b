import { useState } from 'react'
import { continueSession, useSessionEnded } from '../api/session'
import { isSignedIn } from '../api/client'
import { Button, buttonClass } from '../design/button'
import { Dialog } from '../design/dialog'
import { Notice } from '../design/feedback'

/** Over any page whose requests wait for a sign-in: what was entered stays, and is sent afterwards. */
export function SessionEnded() {
  const hasEnded = useSessionEnded()
  const [state, setState] = useState<'idle' | 'checking' | 'not yet'>('idle')
  const proceed = async () => {
    setState('checking')
    const isBack = await isSignedIn().catch(() => false)
    setState(isBack ? 'idle' : 'not yet')
    if (isBack) continueSession()
  }
  if (!hasEnded) return null
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => {}}
      description="Sign in again in a new tab, then continue here. What you entered is still on this page."
      footer={
        <>
          <a className={buttonClass({})} href="/login" target="_blank" rel="noreferrer">
            Sign in
          </a>
          <Button kind="primary" isBusy={state === 'checking'} onClick={() => void proceed()}>
            Continue
          </Button>
        </>
      }
    >
      {state === 'not yet' && <Notice tone="warn">You are not signed in yet.</Notice>}
    </Dialog>
  )
}
