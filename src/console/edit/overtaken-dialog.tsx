import type { ReactNode } from 'react'
import { Button } from '../design/button'
import { Dialog } from '../design/popups/dialog'

interface OvertakenDialogProps {
  /** The kind of item, such as `flag`. */
  what: string
  /** Says who or what made the other changes: the heading above `theirs`. */
  heading: string
  theirs: ReactNode
  mine: ReactNode
  /** What both changed, for which mine replaces theirs. */
  collisions?: ReactNode
  onClose(): void
  onDiscard(): void
  onContinue(): void
}

/** Shows both sides when another user saved in between. */
export const OvertakenDialog = ({
  what,
  heading,
  theirs,
  mine,
  collisions,
  onClose,
  onDiscard,
  onContinue,
}: OvertakenDialogProps) => (
  <Dialog
    title={`This ${what} has a newer version`}
    isWide
    isText
    onClose={onClose}
    description="Nothing of yours is lost. Compare, then choose how to go on."
    footer={
      <>
        <Button onClick={onDiscard}>Discard mine</Button>
        <Button kind="primary" onClick={onContinue}>
          Continue with mine on top
        </Button>
      </>
    }
  >
    <div className="two-columns">
      <section className="stack">
        <h3>{heading}</h3>
        {theirs}
      </section>
      <section className="stack">
        <h3>You changed</h3>
        {mine}
      </section>
    </div>
    {collisions && (
      <section className="stack">
        <h3>Both changed: yours replaces theirs</h3>
        {collisions}
      </section>
    )}
  </Dialog>
)
