import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { CloudOff, SearchX } from 'lucide-react'
import { messageOf, Problem } from '../api/problem'
import { Button, buttonClass } from '../design/button'
import { Empty } from '../design/feedback'

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof Problem && error.status === 404) return <NotFound detail={error.message} />
  return (
    <main>
      <Empty
        level={1}
        icon={<CloudOff size={28} aria-hidden />}
        title={error instanceof Problem ? 'This page could not be loaded' : 'This page has an error'}
        action={
          <Button
            kind="primary"
            onClick={() => {
              reset()
              void router.invalidate()
            }}
          >
            Try again
          </Button>
        }
      >
        {messageOf(error)}
      </Empty>
    </main>
  )
}

export const NotFoundPage = () => <NotFound detail="There is nothing at this address." />

const NotFound = ({ detail }: { detail: string }) => (
  <main>
    <Empty
      level={1}
      icon={<SearchX size={28} aria-hidden />}
      title="Page not found"
      action={
        <a className={buttonClass({})} href="/">
          Go to the start
        </a>
      }
    >
      {detail}
    </Empty>
  </main>
)
