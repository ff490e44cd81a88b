// What the forms share that create something.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { messageOf } from '../api/problem'
import { useSaveKey } from '../team/writers'

interface CreateForm {
  /** Whether something would be lost by leaving. */
  isChanged: boolean
  hasIssues: boolean
  create: { isPending: boolean; isSuccess: boolean; error: Error | null; mutate(): void; reset(): void }
  /** What the form has, always as many values: a refusal is about them as they were. */
  input: readonly unknown[]
}

/** The first field that is wrong may be far above the button. */
const focusInvalid = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

/**
 * Asks before the page is left with changes, and creates once nothing is wrong: issues are shown from the first attempt on.
 * `refusal` is what the service said of the last attempt, for the bar beside the button.
 */
export function useCreateForm({ isChanged, hasIssues, create, input }: CreateForm) {
  const [areIssuesShown, setAreIssuesShown] = useState(false)
  const isUnsaved = isChanged && !create.isSuccess
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && !create.isPending && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const submit = () => {
    setAreIssuesShown(true)
    if (hasIssues) focusInvalid()
    else create.mutate()
  }
  const { error } = create
  useEffect(() => {
    if (error) focusInvalid()
  }, [error])
  useEffect(() => {
    if (error) create.reset()
  }, input)
  useSaveKey(submit)
  return { areIssuesShown, blocker, submit, refusal: error && messageOf(error) }
}
