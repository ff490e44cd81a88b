import { Fragment } from 'react'
import { Dialog } from '../design/popups/dialog'
import { Key } from '../design/small'
import { GO_KEYS } from './pages'

const SHORTCUTS = [
  ['Search and commands', ['⌘ or Ctrl', 'K']],
  ['Search the list', ['/']],
  ['Next and previous row of the list', ['J', 'K']],
  ['Open the row; select it', ['Enter', 'X']],
  ['Create a flag; on other lists, what they list', ['C']],
  ...GO_KEYS.map(([key, , name]) => [`Go to ${name}`, ['G', key.toUpperCase()]] as const),
  ['Save changes', ['⌘ or Ctrl', 'S']],
  ['Run a query', ['⌘ or Ctrl', 'Enter']],
  ['Pause or resume the live events', ['P']],
  ['Move or resize a tile from its handle', ['Arrows', '⇧ Arrows']],
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
    <p className="soft small">
      The <a href="/docs/guide/">guides</a> explain the service, the <a href="/docs">API reference</a> lists
      every operation.
    </p>
  </Dialog>
)

export default ShortcutHelp
