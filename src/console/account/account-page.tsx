// Shows the settings of the user, whom the frame around them has read.
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PageHeader } from '../design/page-header'
import { isLockedQuery } from '../api/account'
import { meQuery } from '../api/queries'
import { Notice } from '../design/feedback'
import './account.css'
import { Keys } from './keys'
import { Password } from './password'
import { Profile } from './profile'
import { Sessions } from './sessions'
import { TwoFactor } from './two-factor'

const route = getRouteApi('/settings')

export function AccountPage() {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: isLocked } = useSuspenseQuery(isLockedQuery)
  const hash = useRouterState({ select: ({ location }) => location.hash })
  // The element of the hash did not exist when the router looked for it.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash])
  return (
    <>
      <PageHeader title="Your account" note={me.email} />
      <ChatNotice />
      {isLocked ? (
        <Notice tone="warn">
          <strong>An organization of yours requires two-factor authentication.</strong> Set it up to continue.
          Until then, nothing else works.
        </Notice>
      ) : (
        <>
          <Profile me={me} />
          <Password me={me} />
        </>
      )}
      <TwoFactor isLocked={isLocked} />
      {!isLocked && (
        <>
          <Sessions />
          <Keys />
        </>
      )}
    </>
  )
}

/** Says whether a chat account was linked. The chat's pages lead here. */
function ChatNotice() {
  const { chat_link_success: isLinked, chat_link_error: failure } = route.useSearch()
  if (failure !== undefined)
    return <Notice tone="bad">Your chat account could not be linked. Please start again.</Notice>
  return isLinked === undefined ? null : <Notice tone="good">Your chat account is linked.</Notice>
}
