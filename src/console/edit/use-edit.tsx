// Keeps an edit, its saves, and what the service says about them.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Problem } from '../api/problem'
import { Confirm } from '../design/popups/dialog'
import { openDialog, useClose } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { Overtaken } from './overtaken'
import { type DraftRules, useDraft } from './use-draft'

const wordsOf = (error: Error | null): Error | null =>
  error instanceof Problem && error.status === 404
    ? new Problem('This was deleted since you opened it. Copy what you need.', 404)
    : error

interface EditRules<T, D> extends DraftRules<T, D> {
  /**
   * Saves a draft of `base`, and says so.
   * @returns the state on which the edit continues
   * @throws Overtaken when another user saved since
   */
  write(base: T, draft: D): Promise<T>
  /** Called when all is saved or discarded. */
  onEnd?(): void
  /** Called when the service rejects a field. */
  onRefused?(problem: Problem): void
}

export type Edit<T, D> = ReturnType<typeof useEdit<T, D & object>>

/**
 * Keeps an edit of `loaded` until it is saved or discarded. What is changed while a save runs stays, on top of what was saved.
 */
export function useEdit<T, D extends object>(loaded: T, rules: EditRules<T, D>) {
  const { saved, ...edit } = useDraft(loaded, rules)
  const { base, draft, reset } = edit
  const [isTried, setIsTried] = useState(false)
  const [isReviewed, setIsReviewed] = useState(false)
  const latest = useRef(draft)
  latest.current = draft
  // A discarded edit comes back in its place only, and not over a later one.
  const dismissUndo = useRef(() => {})
  useEffect(() => {
    if (edit.isChanged) dismissUndo.current()
  }, [edit.isChanged])
  useEffect(() => () => dismissUndo.current(), [])
  const save = useMutation({
    mutationFn: (sent: D) => rules.write(base, sent),
    onSuccess(result, sent) {
      const isChangedSince = rules.changedFields(sent, latest.current).length > 0
      saved(result, sent)
      setIsReviewed(false)
      if (isChangedSince) return
      setIsTried(false)
      rules.onEnd?.()
    },
    onError(error) {
      if (!(error instanceof Problem) || error.status !== 400) return
      setIsReviewed(false)
      rules.onRefused?.(error)
    },
  })
  const restart = (to: T, next?: D) => {
    reset(to, next)
    save.reset()
    setIsReviewed(false)
  }
  return {
    ...edit,
    before: rules.draftOf(base),
    draftOf: rules.draftOf,
    /** Whether a save was attempted, so that issues are shown. */
    isTried,
    /** Whether the changes are shown before they are saved. */
    isReviewed,
    isBusy: save.isPending,
    /** The state that another user saved, in a save that failed because of it. */
    current: save.error instanceof Overtaken ? (save.error as Overtaken<T>).current : null,
    /** Any other error of the last save. */
    error: save.error instanceof Overtaken ? null : wordsOf(save.error),
    /** Marks the draft as complete or not, before it is saved. @returns `isComplete` */
    try(isComplete: boolean): boolean {
      save.reset()
      setIsTried(true)
      return isComplete
    },
    setReviewed: setIsReviewed,
    save: () => save.mutate(draft),
    discard(to: T = loaded) {
      restart(to)
      setIsTried(false)
      rules.onEnd?.()
      dismissUndo.current()
      dismissUndo.current = say('Changes discarded.', () => restart(base, draft))
    },
    /**
     * Puts a draft of `to` in place of this one, and asks before if that loses a change.
     * @param onReplaced called once it is in place
     */
    replace(to: T, next: D, onReplaced: () => void) {
      const replace = () => {
        restart(to, next)
        onReplaced()
      }
      const lost = rules.changedFields(draft, next)
      if (edit.changed.some((field) => lost.includes(field)))
        openDialog(<ReplaceDialog onReplace={replace} />)
      else replace()
    },
    /** Continues on a state that another user saved. */
    rebase: restart,
  }
}

/** Asks before something else takes the place of unsaved changes. */
function ReplaceDialog({ onReplace }: { onReplace(): void }) {
  const close = useClose()
  return (
    <Confirm
      title="Discard your changes?"
      action="Discard"
      onConfirm={() => {
        close()
        onReplace()
      }}
    >
      What you changed on this page is not saved, and this would take its place.
    </Confirm>
  )
}
