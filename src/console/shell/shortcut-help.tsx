import { Fragment } from 'react'
import { Dialog } from '../design/dialog'
import { Key } from '../design/small'

const SHORTCUTS = [
  ['Search and commands', ['⌘ or Ctrl', 'K']],
  ['Search flags', ['/']],
  ['Create a flag', ['C']],
  ['Go to feature flags', ['G', 'F']],
  ['Go to activity', ['G', 'A']],
  ['Go to members', ['G', 'M']],
  ['Save changes of a flag', ['⌘ or Ctrl', 'S']],
  ['This help', ['?']],
] as const

const ShortcutHelp = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <div className="shortcuts">
      {SHORTCUTS.map(([action, keys]) => (
        <Fragment key={action}>
          <span>{action}</span>
          <span className="row">
            {keys.map((key) => (
              <Key key={key}>{key}</Key>
            ))}
          </span>
        </Fragment>
      ))}
    </div>
  </Dialog>
)

export default ShortcutHelp
