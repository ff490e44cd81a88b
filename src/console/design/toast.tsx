// Short messages about what was done, with a way to undo it.
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { messageOf } from '../api/problem'
import { Button, IconButton } from './button'

const manager = Toast.createToastManager()

/** Says that something was done. */
export function say(text: string, undo?: () => void): void {
  const id = manager.add({
    description: text,
    timeout: undo ? 8_000 : 5_000,
    ...(undo
      ? {
          actionProps: {
            children: 'Undo',
            onClick() {
              manager.close(id)
              undo()
            },
          },
        }
      : {}),
  })
}

/** Says that something failed, where the page has no better place. */
export function sayProblem(error: unknown, retry?: () => void): void {
  const id = manager.add({
    description: messageOf(error),
    type: 'bad',
    priority: 'high',
    timeout: 12_000,
    ...(retry
      ? {
          actionProps: {
            children: 'Try again',
            onClick() {
              manager.close(id)
              retry()
            },
          },
        }
      : {}),
  })
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <div className="grow">
        <Toast.Description />
      </div>
      {toast.actionProps && <Toast.Action render={<Button isSmall />} />}
      <Toast.Close render={<IconButton label="Dismiss" isSmall />}>
        <X size={15} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ))
}

export const Toasts = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)
