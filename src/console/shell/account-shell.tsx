// Shows the frame of the user's settings. Users without a project, and those who have to set up a second factor first, see no project's pages.
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { isLockedQuery } from '../api/account'
import { meQuery } from '../api/queries'
import { PageProblem } from '../design/feedback'
import { AccountFrame, FrameLoading, ProjectFrame } from './frame'

export function AccountShell() {
  const me = useQuery(meQuery)
  const isLocked = useQuery(isLockedQuery)
  const failed = [me, isLocked].find(({ error, data }) => error && data === undefined)
  if (failed) return <PageProblem error={failed.error} onRetry={() => void failed.refetch()} />
  if (!me.data || isLocked.data === undefined) return <FrameLoading label="Loading your account" />
  const project = me.data.team
  if (isLocked.data || !project)
    return (
      <AccountFrame me={me.data}>
        <Outlet />
      </AccountFrame>
    )
  return (
    <ProjectFrame me={me.data} projectId={project.id}>
      <Outlet />
    </ProjectFrame>
  )
}
