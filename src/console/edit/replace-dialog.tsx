import { Confirm } from '../design/popups/dialog'
import { useClose } from '../design/popups/opened'

/** Asks before something else takes the place of unsaved changes. */
export function ReplaceDialog({ onReplace }: { onReplace(): void }) {
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
