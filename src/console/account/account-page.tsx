// Settings of the user. Users who are in no project, and those who have to set up a second factor first, see them without a project's pages.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isLockedQuery } from '../api/account'
import type { User } from '../api/client'
import { meQuery } from '../api/queries'
import { Notice, PageProblem } from '../design/feedback'
import { AccountFrame, FrameLoading, ProjectFrame } from '../shell/frame'
import './account.css'
import { Keys } from './keys'
import { Password } from './password'
import { Profile } from './profile'
import { Sessions } from './sessions'
import { TwoFactor } from './two-factor'

const route = getRouteApi('/settings')

export function AccountPage() {
  const me = useQuery(meQuery)
  const isLocked = useQuery(isLockedQuery)
  const failed = [me, isLocked].find(({ isError }) => isError)
  if (failed) return <PageProblem error={failed.error} onRetry={() => void failed.refetch()} />
  if (!me.data || isLocked.data === undefined) return <FrameLoading label="Loading your account" />
  const sections = <Sections me={me.data} isLocked={isLocked.data} />
  const project = me.data.team
  if (isLocked.data || !project) return <AccountFrame me={me.data}>{sections}</AccountFrame>
  return (
    <ProjectFrame me={me.data} projectId={project.id}>
      {sections}
    </ProjectFrame>
  )
}

function Sections({ me, isLocked }: { me: User; isLocked: boolean }) {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  // The part that the address names was not there yet when the router looked for it.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash])
  return (
    <>
      <div className="page-header">
        <div className="titles">
          <h1>Your account</h1>
          <p className="soft">{me.email}</p>
        </div>
      </div>
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

/** What came of linking a chat account: the chat's pages lead here. */
function ChatNotice() {
  const { chat_link_success: isLinked, chat_link_error: failure } = route.useSearch()
  if (failure !== undefined)
    return <Notice tone="bad">Your chat account could not be linked. Please start again.</Notice>
  return isLinked === undefined ? null : <Notice tone="good">Your chat account is linked.</Notice>
}
