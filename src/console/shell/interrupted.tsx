import { useState } from 'react'
import { pendingInterruption } from '../api/client'
import { continueSession, interruption } from '../api/session'
import { Button, buttonClass } from '../design/button'
import { Dialog } from '../design/popups/dialog'
import { Notice } from '../design/feedback'

const WORDS = {
  'sign-in': {
    title: 'Your session has ended',
    what: 'Sign in again in a new tab',
    action: 'Sign in',
    href: '/login',
    notYet: 'You are not signed in yet.',
  },
  'recent-sign-in': {
    title: 'This needs a recent sign-in',
    what: 'You signed in more than two hours ago. Sign in again in a new tab',
    action: 'Sign in',
    href: '/login',
    notYet: 'You are not signed in.',
  },
  'two-factor': {
    title: 'Your organization requires two-factor authentication',
    what: 'Set it up in a new tab',
    action: 'Set it up',
    href: '/settings#two-factor',
    notYet: 'It is not set up yet.',
  },
} as const

/** Covers a page whose requests wait. Its input stays, and is sent afterwards. */
export function Interrupted() {
  const step = interruption.useValue()
  const [state, setState] = useState<'idle' | 'checking' | 'not yet'>('idle')
  const proceed = async () => {
    setState('checking')
    const mayContinue = (await pendingInterruption().catch(() => 'sign-in' as const)) === null
    setState(mayContinue ? 'idle' : 'not yet')
    if (mayContinue) continueSession()
  }
  if (step === null) return null
  const { title, what, action, href, notYet } = WORDS[step]
  return (
    <Dialog
      title={title}
      onClose={() => {}}
      description={`${what}, then continue here. What you entered is still on this page.`}
      footer={
        <>
          <a className={buttonClass({})} href={href} target="_blank" rel="noreferrer">
            {action}
          </a>
          <Button kind="primary" isBusy={state === 'checking'} onClick={() => void proceed()}>
            Continue
          </Button>
        </>
      }
    >
      {state === 'not yet' && <Notice tone="warn">{notYet}</Notice>}
    </Dialog>
  )
}
