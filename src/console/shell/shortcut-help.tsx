import { Fragment } from 'react'
import { Dialog } from '../design/popups/dialog'
import { Key } from '../design/small'

const SHORTCUTS = [
  ['Search and commands', ['⌘ or Ctrl', 'K']],
  ['Search the list', ['/']],
  ['Next and previous row of the list', ['J', 'K']],
  ['Open the row; select it', ['Enter', 'X']],
  ['Create a flag; on other lists, what they list', ['C']],
  ['Go to feature flags', ['G', 'F']],
  ['Go to saved queries', ['G', 'Q']],
  ['Go to dashboards', ['G', 'D']],
  ['Go to cohorts', ['G', 'C']],
  ['Go to events', ['G', 'E']],
  ['Go to people', ['G', 'P']],
  ['Go to groups', ['G', 'G']],
  ['Go to activity', ['G', 'A']],
  ['Go to members', ['G', 'M']],
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
