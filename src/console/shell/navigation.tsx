// Shows what is at the side of every page: the areas of a project, or the settings; projects; the user.
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate, useRouterState } from '@tanstack/react-router'
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
import { type ReactNode, useState } from 'react'
import { awaitedQuery } from '../api/approvals'
import type { User } from '../api/client'
import { switchTo } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { Menu } from '../design/popups/menu'
import { Avatar, Key, nameOf } from '../design/small'
import { sayProblem } from '../design/popups/toast'
import { Mark } from './mark'
import { pagesOf } from './pages'
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

/** Renders the navigation for a user who may open no project. */
export const AccountNavigation = ({ me }: Pick<ProjectProps, 'me'>) => (
  <>
    <Brand />
    <div className="bottom">
      <UserMenu me={me} />
    </div>
  </>
)

interface NavLinkProps {
  page: LinkProps
  icon?: LucideIcon
  children: ReactNode
}

const NavLink = ({ page, icon: Icon, children }: NavLinkProps) => (
  <Link {...page} className="nav-link">
    {Icon && <Icon size={16} aria-hidden />} {children}
  </Link>
)

interface NavGroupProps {
  heading: string
  /** The label for screen readers. */
  label?: string
  links: readonly (readonly [page: LinkProps, text: ReactNode, icon?: LucideIcon])[]
}

const NavGroup = ({ heading, label = heading, links }: NavGroupProps) => (
  <nav className="nav" aria-label={label}>
    <div className="group-label">{heading}</div>
    {links.map(([page, text, icon], index) => (
      <NavLink key={index} page={page} icon={icon}>
        {text}
      </NavLink>
    ))}
  </nav>
)

function SettingsNavigation({ me, projectId, onHelp }: NavigationProps) {
  const pages = pagesOf(projectId)
  const project = me.organization?.teams.find(({ id }) => id === projectId)
  return (
    <>
      <NavLink page={pages.flags} icon={ArrowLeft}>
        <span className="truncate">{project?.name ?? 'Project'}</span>
      </NavLink>
      <NavGroup
        heading="Project"
        label="Settings of the project"
        links={[
          [pages.project, 'General'],
          [pages.approvals, 'Approvals'],
          [pages.webhooks, 'Webhooks'],
          [pages.import, 'Import'],
        ]}
      />
      <NavGroup
        heading="Organization"
        label="Settings of the organization"
        links={[
          [pages.organization, 'General'],
          [pages.members, 'Members'],
        ]}
      />
      <NavGroup heading="Your account" label="Settings of your account" links={ACCOUNT_LINKS} />
      {me.is_staff && (
        <NavGroup heading="Service" label="Settings of the service" links={[[pages.service, 'Service']]} />
      )}
      <div className="bottom">
        <UserMenu me={me} onHelp={onHelp} />
      </div>
    </>
  )
}

const toAccount = (part: string): LinkProps => ({
  to: '/settings',
  search: {},
  hash: part,
  activeOptions: { includeHash: true },
})

/** Parts of the page of the account, by their ids. */
const ACCOUNT_LINKS = [
  [toAccount('profile'), 'Profile'],
  [toAccount('password'), 'Password'],
  [toAccount('two-factor'), 'Second factor'],
  [toAccount('sessions'), 'Sessions'],
  [toAccount('keys'), 'API keys'],
] as const

function ProjectNavigation({ me, projectId, onSearch, onHelp }: NavigationProps) {
  const awaited = useQuery(awaitedQuery(projectId))
  const pages = pagesOf(projectId)
  return (
    <>
      <ProjectSwitch me={me} projectId={projectId} />
      <Button className="search-button" onClick={onSearch}>
        <span className="row">
          <Search size={15} aria-hidden /> Search
        </span>
        <Key>{isMac ? '⌘' : 'Ctrl'} K</Key>
      </Button>
      <NavGroup
        heading="Release"
        links={[
          [pages.flags, 'Feature flags', Flag],
          [pages.requests, <Requests key="requests" awaited={awaited.data ?? 0} />, ClipboardCheck],
          [pages.activity, 'Activity', History],
        ]}
      />
      <NavGroup
        heading="Data"
        links={[
          [pages.events, 'Events', Radio],
          [pages.people, 'People', UsersRound],
          [pages.groups, 'Groups', Building],
          [pages.cohorts, 'Cohorts', UserRoundCheck],
          [pages.queries, 'Saved queries', Database],
          [pages.dashboards, 'Dashboards', LayoutDashboard],
        ]}
      />
      <div className="bottom">
        <NavLink page={pages.project} icon={Settings}>
          Settings
        </NavLink>
        <NavLink page={pages.start} icon={Rocket}>
          Get started
        </NavLink>
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

const Requests = ({ awaited }: { awaited: number }) => (
  <>
    Change requests
    {awaited > 0 && (
      <span className="badge accent">
        {awaited}
        <span className="visually-hidden"> wait for you</span>
      </span>
    )}
  </>
)

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
            onSelect: () => void navigate(pagesOf(id).flags),
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
              onSelect: () => void navigate(pagesOf(projectId).organization),
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
