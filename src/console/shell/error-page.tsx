import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Problem } from '../api/problem'
import { PageProblem } from '../design/feedback'

/** Replaces a page, within the frame. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  // A page whose data could not be read is read again by the queries.
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  })
  return <PageProblem error={error} onRetry={retry} />
}

/** Replaces the frame with all of its content. */
export const ErrorPage = (props: ErrorComponentProps) => (
  <main>
    <PageError {...props} />
  </main>
)

/** Replaces a page that does not exist, within the frame. */
export const NotFound = () => (
  <PageProblem error={new Problem('There is nothing at this address.', 404)} onRetry={() => {}} />
)

export const NotFoundPage = () => (
  <main>
    <NotFound />
  </main>
)
