// Keeps the common logic of forms that create something.
import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../api/problem'
import { useSaveKey } from '../team/writers'
import { useUnsaved } from './use-unsaved'

interface CreateForm<T> {
  /** Whether leaving would lose input. */
  isChanged: boolean
  hasIssues: boolean
  create: UseMutationResult<T, Error, void>
  /** Called with what was created, unless the page was left by then. */
  onCreated(item: T): void
  /** The values of the form, always the same number of them. A rejection applies as long as they stay unchanged. */
  input: readonly unknown[]
}

/** Focuses the first invalid field, which may be far above the button. */
const focusInvalid = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

export type CreateFormState = ReturnType<typeof useCreateForm>

/**
 * Asks before the page is left with changes, and creates the item when nothing is wrong. Issues are shown after the first attempt.
 */
export function useCreateForm<T>({ isChanged, hasIssues, create, onCreated, input }: CreateForm<T>) {
  const [areIssuesShown, setAreIssuesShown] = useState(false)
  const blocker = useUnsaved(isChanged && !create.isSuccess)
  const submit = () => {
    if (create.isPending) return
    setAreIssuesShown(true)
    if (hasIssues) focusInvalid()
    else create.mutate(undefined, { onSuccess: onCreated })
  }
  const { error } = create
  useEffect(() => {
    if (error) focusInvalid()
  }, [error])
  useEffect(() => {
    if (error) create.reset()
  }, input)
  useSaveKey(submit)
  return {
    areIssuesShown,
    blocker,
    submit,
    isBusy: create.isPending,
    /** The service's response to the last attempt, for the bar beside the button. */
    refusal: error && messageOf(error),
  }
}
