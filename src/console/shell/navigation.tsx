// What is at the side of every page: the areas of a project, or the settings; projects; the user.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  ArrowLeft,
  BookOpen,
  Building,
  ClipboardCheck,
  ChevronsUpDown,
  Database,
  Flag,
  History,
  Keyboard,
  LayoutDashboard,
  LifeBuoy,
  LogOut,
  type LucideIcon,
  Moon,
  Radio,
  Rocket,
  Search,
  Settings,
  Sun,
  SunMoon,
  UserCog,
  UserRoundCheck,
  UsersRound,
} from 'lucide-react'
import { useState } from 'react'
import { awaitedQuery } from '../api/approvals'
import type { User } from '../api/client'
import { switchTo } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { Menu } from '../design/popups/menu'
import { Avatar, Key, nameOf } from '../design/small'
import { sayProblem } from '../design/popups/toast'
import { Mark } from './mark'
import { signOut } from './sign-out'
import { applyTheme, storedTheme, type Theme } from './theme'

interface ProjectProps {
  me: User
  projectId: number
}

interface NavigationProps extends ProjectProps {
  onSearch(): void
  onHelp(): void
}

/** Whether a path is in the settings: those of a project, or those of the user's account. */
export const isInSettings = (path: string): boolean => /\/settings(\/|$)/.test(path)

/** The settings are an area with a navigation of its own. */
export function Navigation(props: NavigationProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <>
      <Brand />
      {isInSettings(path) ? <SettingsNavigation {...props} /> : <ProjectNavigation {...props} />}
    </>
  )
}

const Brand = () => (
  <a className="brand" href="/">
    <Mark /> Halyard
  </a>
)

/** For a user who may open no project. */
export const AccountNavigation = ({ me }: Pick<ProjectProps, 'me'>) => (
  <>
    <Brand />
    <div className="bottom">
      <UserMenu me={me} />
    </div>
  </>
)

function SettingsNavigation({ me, projectId, onHelp }: NavigationProps) {
  const params = { projectId }
  const project = me.organization?.teams.find(({ id }) => id === projectId)
  return (
    <>
      <Link className="nav-link" to="/project/$projectId/feature_flags" params={params} search={{}}>
        <ArrowLeft size={16} aria-hidden /> <span className="truncate">{project?.name ?? 'Project'}</span>
      </Link>
      <nav className="nav" aria-label="Settings of the project">
        <div className="group-label">Project</div>
        <Link className="nav-link" to="/project/$projectId/settings/project" params={params}>
          General
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/approvals" params={params}>
          Approvals
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/webhooks" params={params}>
          Webhooks
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/import" params={params}>
          Import
        </Link>
      </nav>
      <nav className="nav" aria-label="Settings of the organization">
        <div className="group-label">Organization</div>
        <Link className="nav-link" to="/project/$projectId/settings/organization" params={params}>
          General
        </Link>
        <Link className="nav-link" to="/project/$projectId/settings/members" params={params}>
          Members
        </Link>
      </nav>
      <nav className="nav" aria-label="Settings of your account">
        <div className="group-label">Your account</div>
        {ACCOUNT_PARTS.map(([part, name]) => (
          <Link
            key={part}
            className="nav-link"
            to="/settings"
            search={{}}
            hash={part}
            activeOptions={{ includeHash: true }}
          >
            {name}
          </Link>
        ))}
      </nav>
      {me.is_staff && (
        <nav className="nav" aria-label="Settings of the service">
          <div className="group-label">Service</div>
          <Link className="nav-link" to="/project/$projectId/settings/service" params={params}>
            Service
          </Link>
        </nav>
      )}
      <div className="bottom">
        <UserMenu me={me} onHelp={onHelp} />
      </div>
    </>
  )
}

/** Parts of the page of the account, by their ids. */
const ACCOUNT_PARTS = [
  ['profile', 'Profile'],
  ['password', 'Password'],
  ['two-factor', 'Second factor'],
  ['sessions', 'Sessions'],
  ['keys', 'API keys'],
] as const

function ProjectNavigation({ me, projectId, onSearch, onHelp }: NavigationProps) {
  const awaited = useQuery(awaitedQuery(projectId))
  const params = { projectId }
  return (
    <>
      <ProjectSwitch me={me} projectId={projectId} />
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
      <div className="bottom">
        <Link className="nav-link" to="/project/$projectId/settings/project" params={params}>
          <Settings size={16} aria-hidden /> Settings
        </Link>
        <Link className="nav-link" to="/project/$projectId/start" params={params}>
          <Rocket size={16} aria-hidden /> Get started
        </Link>
        <a className="nav-link" href="/docs/guide/">
          <BookOpen size={16} aria-hidden /> Guides
        </a>
        <a className="nav-link" href="/docs">
          <LifeBuoy size={16} aria-hidden /> API reference
        </a>
        <UserMenu me={me} onHelp={onHelp} />
      </div>
    </>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

function ProjectSwitch({ me, projectId }: ProjectProps) {
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

const THEMES: readonly [Theme, string, LucideIcon][] = [
  ['system', 'Theme of the system', SunMoon],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
]

function UserMenu({ me, onHelp }: { me: User; onHelp?(): void }) {
  const navigate = useNavigate()
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
            {
              label: 'Account and keys',
              icon: UserCog,
              onSelect: () => void navigate({ to: '/settings', search: {} }),
            },
            ...(onHelp
              ? [
                  {
                    label: 'Keyboard shortcuts',
                    icon: Keyboard,
                    end: <Key>?</Key>,
                    onSelect: onHelp,
                  },
                ]
              : []),
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
        { items: [{ label: 'Sign out', icon: LogOut, onSelect: signOut }] },
      ]}
    />
  )
}
