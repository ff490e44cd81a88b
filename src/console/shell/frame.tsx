// The frame of every page of a project: navigation, palette, keyboard shortcuts.
import { getRouteApi, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { buttonClass, IconButton } from '../design/button'
import { useModal } from '../design/popups/dialog'
import { PageLoading } from '../design/feedback'
import { lazyPart, nothing } from '../design/lazy-part'
import { PopupContainer } from '../design/popups/popup-container'
import { Mark } from './mark'
import { Navigation } from './navigation'
import './shell.css'
import { useShortcuts } from '../design/use-shortcuts'

const Palette = lazyPart(() => import('./palette'), nothing)
const ShortcutHelp = lazyPart(() => import('./shortcut-help'), nothing)

const route = getRouteApi('/project/$projectId')

export function Frame() {
  const { projectId } = route.useParams()
  const { me } = route.useRouteContext()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'palette' | 'help' | 'navigation' | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => setOpen(null), [path])
  useShortcuts({
    'mod+k': () => setOpen('palette'),
    '?': () => setOpen('help'),
    c: () => {
      if (path.includes('/dashboard'))
        return void navigate({
          to: '/project/$projectId/dashboard',
          params: { projectId },
          search: { form: 'new' },
        })
      void navigate({
        to: path.includes('/endpoints')
          ? '/project/$projectId/endpoints/new'
          : path.includes('/cohorts')
            ? '/project/$projectId/cohorts/new'
            : '/project/$projectId/feature_flags/new',
        params: { projectId },
        search: {},
      })
    },
    'g f': () =>
      void navigate({ to: '/project/$projectId/feature_flags', params: { projectId }, search: {} }),
    'g q': () => void navigate({ to: '/project/$projectId/endpoints', params: { projectId }, search: {} }),
    'g e': () => void navigate({ to: '/project/$projectId/events', params: { projectId }, search: {} }),
    'g p': () => void navigate({ to: '/project/$projectId/persons', params: { projectId }, search: {} }),
    'g g': () =>
      void navigate({
        to: '/project/$projectId/groups/$typeIndex',
        params: { projectId, typeIndex: 0 },
        search: {},
      }),
    'g d': () => void navigate({ to: '/project/$projectId/dashboard', params: { projectId }, search: {} }),
    'g c': () => void navigate({ to: '/project/$projectId/cohorts', params: { projectId }, search: {} }),
    'g a': () => void navigate({ to: '/project/$projectId/activity', params: { projectId }, search: {} }),
    'g m': () => void navigate({ to: '/project/$projectId/settings/members', params: { projectId } }),
  })
  const project = me.organization?.teams.find(({ id }) => id === projectId)

  const navigation = <Navigation onSearch={() => setOpen('palette')} onHelp={() => setOpen('help')} />
  return (
    <div className="frame">
      <a className={`skip-link ${buttonClass({})}`} href="#content">
        Skip to the content
      </a>
      <header className="topbar">
        <IconButton label="Open navigation" onClick={() => setOpen('navigation')}>
          <MenuIcon size={18} aria-hidden />
        </IconButton>
        <span className="brand">
          <Mark /> <span className="truncate">{project?.name}</span>
        </span>
        <IconButton label="Search" onClick={() => setOpen('palette')}>
          <Search size={17} aria-hidden />
        </IconButton>
      </header>
      <aside className="sidebar">{navigation}</aside>
      {open === 'navigation' && <Drawer onClose={() => setOpen(null)}>{navigation}</Drawer>}
      <div className="content">
        <main id="content" tabIndex={-1} className={path.includes('/settings/') ? 'settings' : ''}>
          <Outlet />
        </main>
      </div>
      {open === 'palette' && <Palette projectId={projectId} onClose={() => setOpen(null)} />}
      {open === 'help' && <ShortcutHelp onClose={() => setOpen(null)} />}
    </div>
  )
}

/** In place of the frame until the project is known. */
export const FrameLoading = () => (
  <div className="frame">
    <div className="topbar" />
    <div className="sidebar" />
    <div className="content">
      <main>
        <PageLoading label="Loading the project" />
      </main>
    </div>
  </div>
)

/** The navigation over the page, on a small screen. */
function Drawer({ onClose, children }: { onClose(): void; children: ReactNode }) {
  const dialog = useModal(onClose)
  return (
    <dialog ref={dialog} className="sidebar drawer" aria-label="Navigation">
      <PopupContainer value={dialog}>{children}</PopupContainer>
    </dialog>
  )
}
