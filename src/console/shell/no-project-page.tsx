// Shows the page of a user without a project: their membership ended, or the organization has none.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { meQuery, switchTo } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { Empty } from '../design/feedback'
import { usePageName } from '../design/page-title'
import { sayProblem } from '../design/popups/toast'
import { signOut } from './sign-out'

export function NoProjectPage() {
  const me = useQuery(meQuery)
  const navigate = useNavigate()
  const { organization, organizations = [], email } = me.data ?? {}
  const title = organization ? `${organization.name} has no project for you` : 'You are in no organization'
  usePageName(title)
  const others = organizations.filter(({ id }) => id !== organization?.id)
  return (
    <main>
      <Empty
        level={1}
        icon={<DoorOpen size={28} aria-hidden />}
        title={title}
        action={
          <div className="row wrap">
            {others.map(({ id, name }) => (
              <Button
                key={id}
                kind="primary"
                onClick={() =>
                  void switchTo({ set_current_organization: id }).then(
                    () => navigate({ to: '/' }),
                    sayProblem,
                  )
                }
              >
                Open {name}
              </Button>
            ))}
            <a className={buttonClass({})} href="/settings">
              Your account
            </a>
            <Button onClick={signOut}>Sign out</Button>
          </div>
        }
      >
        You are signed in as {email}. Ask an admin for an invite: its link leads you in.
      </Empty>
    </main>
  )
}
