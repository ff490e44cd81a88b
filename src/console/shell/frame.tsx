// Shows the frame of every page: navigation, palette, keyboard shortcuts.
import { getRouteApi, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { buttonClass, IconButton } from '../design/button'
import { useModal } from '../design/popups/dialog'
import { PageLoading } from '../design/feedback'
import { lazyComponent, lazyDialog, nothing } from '../design/lazy-component'
import { PopupContainer } from '../design/popups/popup-container'
import { Mark } from './mark'
import type { User } from '../api/client'
import { useCanWrite } from '../team/writers'
import { AccountNavigation, isInSettings, Navigation } from './navigation'
import { PALETTE_LABEL, type PaletteProps } from './palette-props'
import './shell.css'
import { useShortcuts } from '../design/use-shortcuts'
import { GO_KEYS, pagesOf } from './pages'

const Palette = lazyDialog(
  () => import('./palette'),
  (props) => <OpeningPalette {...props} />,
)
const AccessNotice = lazyComponent(() => import('./access-notice'), nothing)
const ShortcutHelp = lazyDialog(() => import('./shortcut-help'))

const route = getRouteApi('/project/$projectId')

/** Around the pages of a project. */
export function Frame() {
  const { projectId } = route.useParams()
  const { me } = route.useRouteContext()
  return (
    <ProjectFrame me={me} projectId={projectId}>
      <Outlet />
    </ProjectFrame>
  )
}

interface ProjectFrameProps {
  me: User
  projectId: number
  children: ReactNode
}

export function ProjectFrame({ me, projectId, children }: ProjectFrameProps) {
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const [open, setOpen] = useState<'palette' | 'help' | 'navigation' | null>(null)
  const [searched, setSearched] = useState('')
  const [isEntered, setIsEntered] = useState(false)
  const { path, hash } = useRouterState({
    select: ({ location }) => ({ path: location.pathname, hash: location.hash }),
    structuralSharing: true,
  })
  useEffect(() => setOpen(null), [path, hash])
  const pages = pagesOf(projectId)
  const search = (text: string) => {
    setSearched(text)
    setIsEntered(false)
  }
  const openPalette = () => {
    search('')
    setOpen('palette')
  }
  useShortcuts({
    'mod+k': openPalette,
    '?': () => setOpen('help'),
    c: () => {
      // They may run a query without saving it.
      if (!canWrite && !path.includes('/endpoints')) return
      if (path.includes('/dashboard')) return void navigate({ ...pages.dashboards, search: { form: 'new' } })
      const { newQuery, newCohort, newFlag } = pages
      void navigate(path.includes('/endpoints') ? newQuery : path.includes('/cohorts') ? newCohort : newFlag)
    },
    ...Object.fromEntries(GO_KEYS.map(([key, page]) => [`g ${key}`, () => void navigate(pages[page])])),
  })
  const project = me.organization?.teams.find(({ id }) => id === projectId)

  return (
    <>
      <Layout
        me={me}
        title={project?.name}
        isOpen={open === 'navigation'}
        onToggle={(isOpen) => setOpen(isOpen ? 'navigation' : null)}
        onSearch={openPalette}
        navigation={
          <Navigation me={me} projectId={projectId} onSearch={openPalette} onHelp={() => setOpen('help')} />
        }
      >
        {children}
      </Layout>
      {open === 'palette' && (
        <Palette
          me={me}
          projectId={projectId}
          text={searched}
          onText={search}
          isEntered={isEntered}
          onEnter={() => setIsEntered(true)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'help' && <ShortcutHelp onClose={() => setOpen(null)} />}
    </>
  )
}

/** Takes what is typed until the code of the palette is there, which a shortcut of the page would take otherwise. */
function OpeningPalette({ text, onText, onEnter, onClose }: PaletteProps) {
  const dialog = useModal(onClose)
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Search and commands">
      <div className="search">
        <Search size={17} aria-hidden />
        <input
          aria-label={PALETTE_LABEL}
          placeholder={PALETTE_LABEL}
          value={text}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={({ key }) => key === 'Enter' && onEnter()}
        />
      </div>
    </dialog>
  )
}

/** Around the account of a user who may open no project. */
export function AccountFrame({ me, children }: Omit<ProjectFrameProps, 'projectId'>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Layout
      me={me}
      title="Your account"
      isOpen={isOpen}
      onToggle={setIsOpen}
      navigation={<AccountNavigation me={me} />}
    >
      {children}
    </Layout>
  )
}

interface LayoutProps {
  me: User
  /** The title in the bar at the top of a small screen. */
  title: string | undefined
  navigation: ReactNode
  /** Whether the navigation is over the page. */
  isOpen: boolean
  onToggle(isOpen: boolean): void
  onSearch?(): void
  children: ReactNode
}

function Layout({ me, title, navigation, isOpen, onToggle, onSearch, children }: LayoutProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <div className="frame">
      <a className={`skip-link ${buttonClass({})}`} href="#content">
        Skip to the content
      </a>
      <header className="topbar">
        <IconButton label="Open navigation" onClick={() => onToggle(true)}>
          <MenuIcon size={18} aria-hidden />
        </IconButton>
        <span className="brand">
          <Mark /> <span className="truncate">{title}</span>
        </span>
        {onSearch && (
          <IconButton label="Search" onClick={onSearch}>
            <Search size={17} aria-hidden />
          </IconButton>
        )}
      </header>
      <aside className="sidebar">{navigation}</aside>
      {isOpen && <Drawer onClose={() => onToggle(false)}>{navigation}</Drawer>}
      <div className="content">
        <main id="content" tabIndex={-1} className={isInSettings(path) ? 'settings' : ''}>
          {(me.is_impersonated || me.organization?.membership_level === 0) && <AccessNotice me={me} />}
          {children}
        </main>
      </div>
    </div>
  )
}

/** Replaces the frame until its project, or user, is known. */
export const FrameLoading = ({ label = 'Loading the project' }: { label?: string }) => (
  <div className="frame">
    <div className="topbar" />
    <div className="sidebar" />
    <div className="content">
      <main>
        <PageLoading label={label} />
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
