import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Confirm } from '../design/popups/dialog'
import { useClose } from '../design/popups/opened'

type ConfirmChangeProps = Omit<ComponentProps<typeof Confirm>, 'isBusy' | 'error' | 'onConfirm'> & {
  /** Makes the change, and says that it is made. */
  change(): Promise<unknown>
}

/** Asks before a change that cannot be undone, and closes once it is made. */
export function ConfirmChange({ change, ...dialog }: ConfirmChangeProps) {
  const close = useClose()
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    onSuccess: dialog.onClose ?? close,
  })
  return <Confirm {...dialog} isBusy={isPending} error={error} onConfirm={mutate} />
}
