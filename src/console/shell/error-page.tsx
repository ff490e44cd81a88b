import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Problem } from '../api/problem'
import { PageProblem } from '../design/feedback'

/** In place of a page, within the frame. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <PageProblem
      error={error}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
    />
  )
}

/** In place of the frame and all in it. */
export const ErrorPage = (props: ErrorComponentProps) => (
  <main>
    <PageError {...props} />
  </main>
)

export const NotFoundPage = () => (
  <main>
    <PageProblem error={new Problem('There is nothing at this address.', 404)} onRetry={() => {}} />
  </main>
)
