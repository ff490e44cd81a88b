// The frame of every page of a project: navigation, project switcher, palette, keyboard shortcuts.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  Activity,
  BookOpen,
  Building,
  Building2,
  ClipboardCheck,
  ChevronsUpDown,
  Database,
  Flag,
  History,
  Import,
  Keyboard,
  LayoutDashboard,
  LifeBuoy,
  LogOut,
  Menu as MenuIcon,
  Moon,
  Radio,
  Rocket,
  Search,
  ShieldCheck,
  Settings,
  Sun,
  SunMoon,
  UserCog,
  Users,
  UserRoundCheck,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { awaitedQuery } from '../api/approvals'
import { switchTo } from '../api/queries'
import { Button, buttonClass, IconButton } from '../design/button'
import { useModal } from '../design/popups/dialog'
import { PageLoading } from '../design/feedback'
import { lazyPart, nothing } from '../design/lazy-part'
import { Menu } from '../design/popups/menu'
import { PopupContainer } from '../design/popups/popup-container'
import { Avatar, Key, nameOf } from '../design/small'
import { sayProblem } from '../design/popups/toast'
import { Mark } from './mark'
import './shell.css'
import { signOut } from './sign-out'
import { applyTheme, storedTheme, type Theme } from './theme'
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
        <main id="content" tabIndex={-1}>
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

function Navigation({ onSearch, onHelp }: { onSearch(): void; onHelp(): void }) {
  const { projectId } = route.useParams()
  const { me } = route.useRouteContext()
  const awaited = useQuery(awaitedQuery(projectId))
  const params = { projectId }
  return (
    <>
      <a className="brand" href="/">
        <Mark /> Halyard
      </a>
      <ProjectSwitch />
      <Button className="search-button" onClick={onSearch}>
        <span className="row">
          <Search size={15} aria-hidden /> Search
        </span>
        <Key>{isMac ? '⌘' : 'Ctrl'} K</Key>
      </Button>
      <nav className="nav" aria-label="Release">
        <div className="group-label">Release</div>
        <Link className="nav-link" to="/project/$projectId/feature_flags" params={params} search={{}}>
          <Flag size={16} aria-hidden /> Feature flags
        </Link>
        <Link className="nav-link" to="/project/$projectId/change_requests" params={params} search={{}}>
          <ClipboardCheck size={16} aria-hidden /> Change requests
          {awaited.data ? (
            <span className="badge accent">
              {awaited.data}
              <span className="visually-hidden"> wait for you</span>
            </span>
          ) : null}
        </Link>
        <Link className="nav-link" to="/project/$projectId/activity" params={params} search={{}}>
          <History size={16} aria-hidden /> Activity
        </Link>
      </nav>
      <nav className="nav" aria-label="Data">
        <div className="group-label">Data</div>
        <Link className="nav-link" to="/project/$projectId/events" params={params} search={{}}>
          <Radio size={16} aria-hidden /> Events
        </Link>
        <Link className="nav-link" to="/project/$projectId/persons" params={params} search={{}}>
          <UsersRound size={16} aria-hidden /> People
        </Link>
        <Link
          className="nav-link"
          to="/project/$projectId/groups/$typeIndex"
          params={{ projectId, typeIndex: 0 }}
          search={{}}
        >
          <Building size={16} aria-hidden /> Groups
        </Link>
        <Link className="nav-link" to="/project/$projectId/cohorts" params={params} search={{}}>
          <UserRoundCheck size={16} aria-hidden /> Cohorts
        </Link>
        <Link className="nav-link" to="/project/$projectId/endpoints" params={params} search={{}}>
          <Database size={16} aria-hidden /> Saved queries
        </Link>
        <Link className="nav-link" to="/project/$projectId/dashboard" params={params} search={{}}>
          <LayoutDashboard size={16} aria-hidden /> Dashboards
        </Link>
      </nav>
      <nav className="nav" aria-label="Settings">
        <div className="group-label">Settings</div>
        <Link className="nav-link" to="/project/$projectId/settings/project" params={params}>
          <Settings size={16} aria-hidden /> Project
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/approvals" params={params}>
          <ShieldCheck size={16} aria-hidden /> Approvals
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/webhooks" params={params}>
          <Webhook size={16} aria-hidden /> Webhooks
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/import" params={params}>
          <Import size={16} aria-hidden /> Import
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/members" params={params}>
          <Users size={16} aria-hidden /> Members
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/organization" params={params}>
          <Building2 size={16} aria-hidden /> Organization
        </Link>
        {me.is_staff && (
          <Link className="nav-link" to="/project/$projectId/settings/service" params={params}>
            <Activity size={16} aria-hidden /> Service
          </Link>
        )}
      </nav>
      <div className="bottom">
        <Link className="nav-link" to="/project/$projectId/start" params={params}>
          <Rocket size={16} aria-hidden /> Get started
        </Link>
        <a className="nav-link" href="/docs/guide/">
          <BookOpen size={16} aria-hidden /> Guides
        </a>
        <a className="nav-link" href="/docs">
          <LifeBuoy size={16} aria-hidden /> API reference
        </a>
        <UserMenu onHelp={onHelp} />
      </div>
    </>
  )
}

/** The navigation over the page, on a small screen. */
function Drawer({ onClose, children }: { onClose(): void; children: ReactNode }) {
  const dialog = useModal(onClose)
  return (
    <dialog ref={dialog} className="sidebar drawer" aria-label="Navigation">
      <PopupContainer value={dialog}>{children}</PopupContainer>
    </dialog>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

function ProjectSwitch() {
  const { projectId } = route.useParams()
  const { me } = route.useRouteContext()
  const navigate = useNavigate()
  const { organization } = me
  const projects = organization?.teams ?? []
  const others = me.organizations.filter(({ id }) => id !== organization?.id)
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={buttonClass({}, 'project-switch')}>
          <span className="names">
            <span className="truncate">{projects.find(({ id }) => id === projectId)?.name}</span>
            <span className="truncate soft small">{organization?.name}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </button>
      }
      groups={[
        {
          heading: `Projects of ${organization?.name}`,
          items: projects.map(({ id, name }) => ({
            label: name,
            end: id === projectId ? 'current' : undefined,
            onSelect: () =>
              void navigate({
                to: '/project/$projectId/feature_flags',
                params: { projectId: id },
                search: {},
              }),
          })),
        },
        ...(others.length === 0
          ? []
          : [
              {
                heading: 'Other organizations',
                items: others.map(({ id, name }) => ({
                  label: name,
                  onSelect: () =>
                    void switchTo({ set_current_organization: id }).then(
                      () => navigate({ to: '/' }),
                      sayProblem,
                    ),
                })),
              },
            ]),
        {
          items: [
            {
              label: 'New project…',
              onSelect: () =>
                void navigate({ to: '/project/$projectId/settings/organization', params: { projectId } }),
            },
          ],
        },
      ]}
    />
  )
}

const THEMES: readonly [Theme, string, ReactNode][] = [
  ['system', 'Theme of the system', <SunMoon key="system" size={15} aria-hidden />],
  ['light', 'Light', <Sun key="light" size={15} aria-hidden />],
  ['dark', 'Dark', <Moon key="dark" size={15} aria-hidden />],
]

function UserMenu({ onHelp }: { onHelp(): void }) {
  const { me } = route.useRouteContext()
  const [theme, setTheme] = useState(storedTheme)
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={buttonClass({ kind: 'plain' }, 'project-switch')}>
          <span className="row grow">
            <Avatar person={me} />
            <span className="truncate">{nameOf(me)}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </button>
      }
      groups={[
        {
          items: [
            { label: 'Account and keys', href: '/settings', icon: <UserCog size={15} aria-hidden /> },
            {
              label: 'Keyboard shortcuts',
              icon: <Keyboard size={15} aria-hidden />,
              end: <Key>?</Key>,
              onSelect: onHelp,
            },
          ],
        },
        {
          items: THEMES.map(([value, label, icon]) => ({
            label,
            icon,
            end: theme === value ? 'current' : undefined,
            onSelect: () => {
              applyTheme(value)
              setTheme(value)
            },
          })),
        },
        { items: [{ label: 'Sign out', icon: <LogOut size={15} aria-hidden />, onSelect: signOut }] },
      ]}
    />
  )
}
