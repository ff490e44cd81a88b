// Shows the command palette: pages and actions, and the project's items by name.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  Building,
  CornerDownLeft,
  Database,
  Flag,
  LayoutDashboard,
  type LucideIcon,
  Search,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { foundQuery } from '../api/found'
import { ProblemNotice } from '../design/feedback'
import { useModal } from '../design/popups/dialog'
import { useSettled } from '../design/use-settled'
import {
  type Command,
  commandsOf,
  foundCommands,
  isCalled,
  type Open,
  turnCommands,
  turnIn,
} from './palette-commands'
import { PALETTE_LABEL, type PaletteProps } from './palette-props'

const ICONS: Record<Command['kind'], LucideIcon> = {
  command: CornerDownLeft,
  flag: Flag,
  query: Database,
  cohort: UsersRound,
  dashboard: LayoutDashboard,
  person: UserRound,
  group: Building,
}

/** The number of commands before the flags that changed last, when there is no search text. */
const FIRST_COMMANDS = 4

export default function Palette({ me, projectId, text, onText, isEntered, onEnter, onClose }: PaletteProps) {
  const navigate = useNavigate()
  const dialog = useModal(onClose)
  const wanted = text.trim()
  const settled = useSettled(wanted)
  const turn = turnIn(settled)
  const search = turn?.search ?? settled
  const { data, error, refetch } = useQuery(foundQuery(projectId, me.organization?.id, search))
  const isCurrent = settled === wanted
  const open: Open = (page) => void navigate(page)
  const commands = commandsOf({ projectId, me, open }).filter((command) => isCalled(command, wanted))
  const found =
    !isCurrent || !data
      ? []
      : turn
        ? turnCommands(projectId, data, turn.isOn, open)
        : foundCommands(projectId, data, open)
  // Commands match at once and keep their positions when the items are found, because a key press acts on what was shown.
  const first = wanted === '' ? FIRST_COMMANDS : commands.length
  const items = [...commands.slice(0, first), ...found, ...commands.slice(first)]
  const choose = (command: Command) => {
    onClose()
    command.run()
  }
  const isFound = isCurrent && data !== undefined
  const [best] = items
  useEffect(() => {
    if (isEntered && isFound && best) choose(best)
  }, [isEntered, isFound])
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Search and commands">
      <Autocomplete.Root
        open
        inline
        items={items}
        value={text}
        onValueChange={(value) => onText(value)}
        itemToStringValue={(item: Command) => item.label}
        filter={null}
        autoHighlight="always"
      >
        <div className="search">
          <Search size={17} aria-hidden />
          <Autocomplete.Input
            placeholder={PALETTE_LABEL}
            aria-label={PALETTE_LABEL}
            onKeyDown={({ key }) => key === 'Enter' && !best && onEnter()}
          />
        </div>
        <Autocomplete.List className="results">
          {(command: Command) => {
            const Icon = ICONS[command.kind]
            return (
              <Autocomplete.Item
                key={command.id}
                value={command}
                className="item"
                onClick={() => choose(command)}
              >
                <Icon size={15} aria-hidden />
                <span className="truncate">{command.label}</span>
                {command.detail && <span className="end truncate">{command.detail}</span>}
              </Autocomplete.Item>
            )
          }}
        </Autocomplete.List>
        {isCurrent && error ? (
          <ProblemNotice error={error} onRetry={() => void refetch()} />
        ) : (
          items.length === 0 && (
            <p className="empty" role="status">
              {isFound
                ? `Nothing matches “${text}”.`
                : isEntered
                  ? 'Searching, to open the first match…'
                  : 'Searching…'}
            </p>
          )
        )}
      </Autocomplete.Root>
    </dialog>
  )
}
