// Defines what the command palette offers besides what it finds: pages, actions, and the other projects.
import { type LinkOptions, linkOptions } from '@tanstack/react-router'
import type { User } from '../api/client'
import type { Found } from '../api/found'
import { switchTo } from '../api/queries'
import { sayProblem } from '../design/popups/toast'
import { nameOf } from '../design/small'
import { levelOf } from '../team/levels'
import { pagesOf, toFlag } from './pages'
import { toCohort, toDashboard, toGroup, toPerson, toQuery } from './item-pages'
import { signOut } from './sign-out'
import { applyTheme } from './theme'

/** @returns links by what the palette calls them, in the order in which it shows them. */
function linksOf(projectId: number) {
  const pages = pagesOf(projectId)
  return {
    'Create a flag': pages.newFlag,
    'Feature flags': pages.flags,
    'Enable a flag': { ...pages.flags, search: { active: 'false' } } as const,
    'Disable a flag': { ...pages.flags, search: { active: 'true' } } as const,
    'Saved queries': pages.queries,
    'Create a query': pages.newQuery,
    Events: pages.events,
    People: pages.people,
    Groups: pages.groups,
    'Warnings about events': { ...pages.events, search: { tab: 'warnings' } } as const,
    Dashboards: pages.dashboards,
    'Create a dashboard': { ...pages.dashboards, search: { form: 'new' } } as const,
    Cohorts: pages.cohorts,
    'Create a cohort': pages.newCohort,
    'Change requests': pages.requests,
    Activity: pages.activity,
    Members: pages.members,
    'Project settings': pages.project,
    Approvals: pages.approvals,
    Webhooks: pages.webhooks,
    'Import a project': pages.import,
    'Organization settings': pages.organization,
  }
}

/** What else users call pages, whose names say less than what is on them. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'Account and keys': '2fa two-factor authentication password personal api keys sessions profile settings',
  Members: 'invite users team roles',
  'Project settings': 'time zone project token secret evaluation contexts',
  'Organization settings': 'sso single sign-on new project two-factor authentication invites',
  Approvals: 'policies',
  'Change requests': 'approve approvals',
  Activity: 'history audit log',
  'Saved queries': 'endpoints insights sql',
  People: 'persons users',
  'Sign out': 'log out',
}

/** These are not for viewers, who may write queries to run them. */
const WRITES = /^(?:Create|Enable|Disable) a (?!query)/

export interface Command {
  id: string
  kind: 'command' | 'flag' | 'query' | 'cohort' | 'dashboard' | 'person' | 'group'
  label: string
  detail?: string
  run(): void
}

/** Opens a page of the console. */
export type Open = (page: LinkOptions) => void

interface Context {
  projectId: number
  me: User
  open: Open
}

/** All commands, in the order in which the palette shows them. */
export function commandsOf({ projectId, me, open }: Context): Command[] {
  const command = (label: string, run: () => void): Command => ({ id: label, kind: 'command', label, run })
  const canWrite = levelOf(me) > 0
  const others = me.organization?.teams.filter(({ id }) => id !== projectId) ?? []
  return [
    ...Object.entries(linksOf(projectId))
      .filter(([label]) => canWrite || !WRITES.test(label))
      .map(([label, page]) => command(label, () => open(page))),
    ...(me.is_staff ? [command('Service', () => open(pagesOf(projectId).service))] : []),
    command('Account and keys', () => open({ to: '/settings', search: {} })),
    command('Guides', () => location.assign('/docs/guide/')),
    command('API reference', () => location.assign('/docs')),
    ...others.map(({ id, name }) => ({
      ...command(
        `Switch to ${name}`,
        () => void switchTo({ set_current_team: id }).then(() => open({ to: '/' }), sayProblem),
      ),
      // Projects may have one name.
      id: `project ${id}`,
      detail: 'Project',
    })),
    command('Light theme', () => applyTheme('light')),
    command('Dark theme', () => applyTheme('dark')),
    command('Theme of the system', () => applyTheme('system')),
    command('Sign out', signOut),
  ]
}

/** Whether a command is called so, or what it opens. */
export const isCalled = ({ label }: Command, text: string): boolean =>
  `${label} ${OTHER_WORDS[label] ?? ''}`.toLowerCase().includes(text.toLowerCase())

/** What is to be done with a flag, and the text that finds it: of `disable new-checkout`. Null for any other text. */
export function turnIn(text: string): { isOn: boolean; search: string } | null {
  const [, verb, search] = /^(enable|disable) +(\S.*)$/i.exec(text) ?? []
  return verb && search ? { isOn: verb.toLowerCase() === 'enable', search } : null
}

/** Commands that enable or disable the flags found, after a question. */
export const turnCommands = (projectId: number, { flags }: Found, isOn: boolean, open: Open): Command[] =>
  flags
    .filter(({ active, archived, can_edit: canEdit }) => active !== isOn && !archived && canEdit)
    .map(({ id, key, name }) => ({
      id: `turn ${id}`,
      kind: 'flag',
      label: `${isOn ? 'Enable' : 'Disable'} ${key}…`,
      detail: name,
      run: () => open(linkOptions({ ...toFlag(projectId, id), search: { turn: true } })),
    }))

/** Commands that open what was found. */
export function foundCommands(
  projectId: number,
  { flags, queries, cohorts, dashboards, people, groups, members }: Found,
  open: Open,
): Command[] {
  const item = (
    kind: Command['kind'],
    id: number | string,
    label: string,
    detail: string,
    page: LinkOptions,
  ): Command => ({ id: `${kind} ${id}`, kind, label, detail, run: () => open(page) })
  return [
    ...flags.map(({ id, key, name }) => item('flag', id, key, name, toFlag(projectId, id))),
    ...queries.map(({ name, description }) =>
      item('query', name, name, description || 'Saved query', toQuery(projectId, name)),
    ),
    ...cohorts.map(({ id, name }) => item('cohort', id, name, 'Cohort', toCohort(projectId, id))),
    ...dashboards.map(({ id, name }) => item('dashboard', id, name, 'Dashboard', toDashboard(projectId, id))),
    ...people.map(({ uuid, name }) => item('person', uuid, name, 'Person', toPerson(projectId, uuid))),
    ...groups.map(({ typeIndex, key, name }) =>
      item('group', `${typeIndex} ${key}`, name ?? key, 'Group', toGroup(projectId, typeIndex, key)),
    ),
    ...members.map(({ id, user }) =>
      item('person', `member ${id}`, nameOf(user), 'Member', pagesOf(projectId).members),
    ),
  ]
}
