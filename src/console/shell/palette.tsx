// The command palette: pages, actions, flags by key or name, and saved queries by name.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CornerDownLeft, Database, Flag, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { flagsQuery } from '../api/queries'
import { endpointsQuery } from '../api/saved-queries'
import { useModal } from '../design/popups/dialog'

interface Command {
  id: string
  label: string
  detail?: string
  run(): void
}

export default function Palette({ projectId, onClose }: { projectId: number; onClose(): void }) {
  const navigate = useNavigate()
  const { me } = getRouteApi('/project/$projectId').useRouteContext()
  const dialog = useModal(onClose)
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const flags = useInfiniteQuery({
    ...flagsQuery(projectId, search ? { search } : { order: '-updated_at' }),
    select: ({ pages }) => pages[0]?.results.slice(0, 12) ?? [],
  })
  const queries = useInfiniteQuery({
    ...endpointsQuery(projectId, search ? { search } : {}),
    select: ({ pages }) => pages[0]?.results.slice(0, 8) ?? [],
  })
  const params = { projectId }
  const pages: Command[] = [
    {
      id: 'new',
      label: 'Create a flag',
      run: () => void navigate({ to: '/project/$projectId/feature_flags/new', params, search: {} }),
    },
    {
      id: 'flags',
      label: 'Feature flags',
      run: () => void navigate({ to: '/project/$projectId/feature_flags', params, search: {} }),
    },
    {
      id: 'queries',
      label: 'Saved queries',
      run: () => void navigate({ to: '/project/$projectId/endpoints', params, search: {} }),
    },
    {
      id: 'new query',
      label: 'Create a query',
      run: () => void navigate({ to: '/project/$projectId/endpoints/new', params, search: {} }),
    },
    {
      id: 'events',
      label: 'Events',
      run: () => void navigate({ to: '/project/$projectId/events', params, search: {} }),
    },
    {
      id: 'people',
      label: 'People',
      run: () => void navigate({ to: '/project/$projectId/persons', params, search: {} }),
    },
    {
      id: 'groups',
      label: 'Groups',
      run: () =>
        void navigate({
          to: '/project/$projectId/groups/$typeIndex',
          params: { projectId, typeIndex: 0 },
          search: {},
        }),
    },
    {
      id: 'warnings',
      label: 'Warnings about events',
      run: () => void navigate({ to: '/project/$projectId/events', params, search: { tab: 'warnings' } }),
    },
    {
      id: 'dashboards',
      label: 'Dashboards',
      run: () => void navigate({ to: '/project/$projectId/dashboard', params, search: {} }),
    },
    {
      id: 'new dashboard',
      label: 'Create a dashboard',
      run: () => void navigate({ to: '/project/$projectId/dashboard', params, search: { form: 'new' } }),
    },
    {
      id: 'cohorts',
      label: 'Cohorts',
      run: () => void navigate({ to: '/project/$projectId/cohorts', params, search: {} }),
    },
    {
      id: 'new cohort',
      label: 'Create a cohort',
      run: () => void navigate({ to: '/project/$projectId/cohorts/new', params, search: {} }),
    },
    {
      id: 'change requests',
      label: 'Change requests',
      run: () => void navigate({ to: '/project/$projectId/change_requests', params, search: {} }),
    },
    {
      id: 'activity',
      label: 'Activity',
      run: () => void navigate({ to: '/project/$projectId/activity', params, search: {} }),
    },
    {
      id: 'members',
      label: 'Members',
      run: () => void navigate({ to: '/project/$projectId/settings/members', params }),
    },
    {
      id: 'project',
      label: 'Project settings',
      run: () => void navigate({ to: '/project/$projectId/settings/project', params }),
    },
    {
      id: 'approvals',
      label: 'Approvals',
      run: () => void navigate({ to: '/project/$projectId/settings/approvals', params }),
    },
    {
      id: 'webhooks',
      label: 'Webhooks',
      run: () => void navigate({ to: '/project/$projectId/settings/webhooks', params }),
    },
    {
      id: 'import',
      label: 'Import a project',
      run: () => void navigate({ to: '/project/$projectId/settings/import', params }),
    },
    {
      id: 'organization',
      label: 'Organization settings',
      run: () => void navigate({ to: '/project/$projectId/settings/organization', params }),
    },
    ...(me.is_staff
      ? [
          {
            id: 'service',
            label: 'Service',
            run: () => void navigate({ to: '/project/$projectId/settings/service', params }),
          },
        ]
      : []),
    { id: 'account', label: 'Account and keys', run: () => location.assign('/settings') },
    { id: 'guides', label: 'Guides', run: () => location.assign('/docs/guide/') },
    { id: 'docs', label: 'API reference', run: () => location.assign('/docs') },
  ]
  const foundFlags: Command[] = (flags.data ?? []).map((flag) => ({
    id: `flag ${flag.id}`,
    label: flag.key,
    detail: flag.name,
    run: () =>
      void navigate({
        to: '/project/$projectId/feature_flags/$flagId',
        params: { projectId, flagId: flag.id },
        search: {},
      }),
  }))
  const foundQueries: Command[] = (queries.data ?? []).map(({ name, description }) => ({
    id: `query ${name}`,
    label: name,
    detail: description,
    run: () =>
      void navigate({ to: '/project/$projectId/endpoints/$name', params: { projectId, name }, search: {} }),
  }))
  const found = [...foundFlags, ...foundQueries]
  const matching = pages.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  const items = search ? [...found, ...matching] : [...matching.slice(0, 4), ...found, ...matching.slice(4)]
  const choose = (command: Command) => {
    onClose()
    command.run()
  }
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Search and commands">
      <Autocomplete.Root
        open
        inline
        items={items}
        value={text}
        onValueChange={(value) => setText(value)}
        itemToStringValue={(item: Command) => item.label}
        filter={null}
        autoHighlight="always"
      >
        <div className="search">
          <Search size={17} aria-hidden />
          <Autocomplete.Input
            placeholder="Search flags, queries and pages"
            aria-label="Search flags, queries and pages"
          />
        </div>
        <Autocomplete.List className="results">
          {(command: Command) => (
            <Autocomplete.Item
              key={command.id}
              value={command}
              className="item"
              onClick={() => choose(command)}
            >
              {command.id.startsWith('flag ') ? (
                <Flag size={15} aria-hidden />
              ) : command.id.startsWith('query ') ? (
                <Database size={15} aria-hidden />
              ) : (
                <CornerDownLeft size={15} aria-hidden />
              )}
              <span className="truncate">{command.label}</span>
              {command.detail && <span className="end truncate">{command.detail}</span>}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
        {items.length === 0 && !flags.isFetching && !queries.isFetching && (
          <p className="empty">Nothing matches “{text}”.</p>
        )}
      </Autocomplete.Root>
    </dialog>
  )
}
