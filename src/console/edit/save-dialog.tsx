// Shows what an edit changes before it is saved, and both sides when another user saved in between.
import type { ReactNode } from 'react'
import { Button } from '../design/button'
import { Dialog, focusedFirst } from '../design/popups/dialog'
import { pick } from './changed-fields'
import type { Edit } from './use-edit'

interface Rebased<D> {
  draft: D
  /** What both changed, for which mine replaces theirs. */
  collisions?: ReactNode
}

interface OvertakenEditProps<T, D> {
  /** The kind of item, such as `flag`. */
  noun: string
  edit: Edit<T, D>
  differences(before: D, after: D): ReactNode
  /** Says who or what made the other changes, above these. */
  headingOf(current: T): string
  /** Returns the draft on top of what another user saved. By default, changed fields replace those of the other. */
  rebase?(current: T): Rebased<D>
}

/** Asks how an edit continues on what another user saved, if anybody did. */
export function OvertakenEdit<T, D extends object>({
  noun,
  edit,
  differences,
  headingOf,
  rebase,
}: OvertakenEditProps<T, D>) {
  const { current, before, draft, draftOf } = edit
  if (current === null) return null
  const theirs = draftOf(current)
  const rebased: Rebased<D> = rebase?.(current) ?? { draft: { ...theirs, ...pick(draft, edit.changed) } }
  return (
    <Dialog
      title={`This ${noun} has a newer version`}
      isWide
      isText
      onClose={() => edit.try(true)}
      description="Nothing of yours is lost. Compare, then choose how to go on."
      footer={
        <>
          <Button onClick={() => edit.discard(current)}>Discard mine</Button>
          <Button kind="primary" onClick={() => edit.rebase(current, rebased.draft)}>
            Continue with mine on top
          </Button>
        </>
      }
    >
      <div className="two-columns">
        <section className="stack">
          <h3>{headingOf(current)}</h3>
          {differences(before, theirs)}
        </section>
        <section className="stack">
          <h3>You changed</h3>
          {differences(before, draft)}
        </section>
      </div>
      {rebased.collisions && (
        <section className="stack">
          <h3>Both changed: yours replaces theirs</h3>
          {rebased.collisions}
        </section>
      )}
    </Dialog>
  )
}

interface SaveDialogProps<T, D> extends OvertakenEditProps<T, D> {
  title: string
  /** On the button. Default: `Save`. */
  action?: string
  /** On the button that closes it. Default: `Keep editing`. */
  keep?: string
  /** Called when it is closed without a save. */
  onClose?(): void
  isWide?: boolean
  /** What follows the differences. */
  children?: ReactNode
}

/** The dialog of an edit that is reviewed or overtaken. */
export function SaveDialog<T, D extends object>({
  title,
  action = 'Save',
  keep = 'Keep editing',
  onClose,
  isWide = false,
  children,
  ...overtaken
}: SaveDialogProps<T, D>) {
  const { edit, differences } = overtaken
  if (edit.current !== null) return <OvertakenEdit {...overtaken} />
  if (!edit.isReviewed) return null
  const close = onClose ?? (() => edit.setReviewed(false))
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={close}
      error={edit.error}
      footer={
        <>
          <Button onClick={close}>{keep}</Button>
          <Button kind="primary" ref={focusedFirst} isBusy={edit.isBusy} onClick={edit.save}>
            {action}
          </Button>
        </>
      }
    >
      {differences(edit.before, edit.draft)}
      {children}
    </Dialog>
  )
}
