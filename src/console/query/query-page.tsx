// Shows a saved query: its text and result, versions, runs, materialization, and how programs call it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Copy, FileJson, LayoutDashboard } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import type { Endpoint } from '../api/client'
import { fieldErrors } from '../api/field-errors'
import { Problem } from '../api/problem'
import { endpointQuery, versionQuery } from '../api/saved-queries'
import { type Entered, useEntered } from '../dashboards/dashboard-variables'
import { Notice } from '../design/feedback'
import { Switch } from '../design/fields/field'
import { CopyButton, nameOf, Time } from '../design/small'
import '../flag/flag.css'
import { setActive } from '../queries/change-queries'
import { DeleteQuery } from '../queries/delete-query'
import { KindBadge, MaterializationBadge } from '../queries/query-badges'
import { useEdit } from '../edit/use-edit'
import { changedFields, type Draft, draftOf, issueOf, SHOWN_FIELDS } from './draft'
import { SaveQuery, writeQuery } from './save-dialog'
import { SavedQuery } from './saved-query'
import { SettingsCard } from './settings-card'
import { ONCE, useSavedRun } from './use-saved-run'
import { Workbench } from './workbench'
import { lazyComponent, lazyDialog } from '../design/lazy-component'
import { EntityPage, Loaded } from '../entity/entity-page'
import { WriterFields } from '../team/writers'
import { toQuery } from '../shell/item-pages'
import { pagesOf } from '../shell/pages'

const Versions = lazyComponent(() => import('./tabs/versions-tab'))
const Runs = lazyComponent(() => import('./tabs/runs-tab'))
const Materialization = lazyComponent(() => import('./tabs/materialization-tab'))
const Call = lazyComponent(() => import('./tabs/call-tab'))
const PinDialog = lazyDialog(() => import('./pin-dialog'))

const route = getRouteApi('/project/$projectId/endpoints/$name')

export function QueryPage() {
  const { projectId, name } = route.useParams()
  return (
    <Loaded query={useQuery(endpointQuery(projectId, name))} noun="query">
      {(query) => <Page key={query.id} projectId={projectId} query={query} />}
    </Loaded>
  )
}

/** The workbench of a saved query, with its last result until it is run. */
function EditedQuery({
  entered,
  ...props
}: Omit<ComponentProps<typeof Workbench>, 'entered'> & { entered: Entered }) {
  const { query, result } = useSavedRun(props.projectId, props.name, entered.settled, IDLE)
  const before = query &&
    result && {
      query,
      result,
      when: (
        <>
          computed <Time at={result.last_refresh} /> · of the saved version
        </>
      ),
    }
  return <Workbench {...props} autoFocus entered={entered.now} before={before} />
}

const IDLE = { ...ONCE, isIdle: true }

const RULES = {
  draftOf,
  changedFields,
  hasMoved: (loaded: Endpoint, base: Endpoint) => loaded !== base,
}

function Page({ projectId, query }: { projectId: number; query: Endpoint }) {
  const { tab = 'query', edit: isEditWanted = false, variables } = route.useSearch()
  const navigate = useNavigate()
  const edit = useEdit<Endpoint, Draft>(query, {
    ...RULES,
    name: `query ${query.id}`,
    write: (base, draft) => writeQuery(projectId, base, draft),
    onEnd: () => show(false),
  })
  const [open, setOpen] = useState<'delete' | 'pin' | null>(null)
  const isEditing = isEditWanted || edit.changed.includes('text')
  const { name } = query
  const issue = issueOf(edit.draft)
  const version = useQuery(versionQuery(projectId, name, query.current_version))
  const isVersionActive = version.data?.is_active !== false

  const show = (isEdited: boolean) =>
    void navigate({
      to: '.',
      search: ({ edit: _e, ...rest }) => ({ ...rest, ...(isEdited ? { edit: true as const } : {}) }),
      ignoreBlocker: true,
    })
  const [entered, setEntered] = useEntered(
    variables,
    (values) =>
      void navigate({
        to: '.',
        search: ({ variables: _v, ...rest }) => ({ ...rest, ...(values ? { variables: values } : {}) }),
        replace: true,
        ignoreBlocker: true,
      }),
  )
  const list = pagesOf(projectId).queries
  const { errorOf, otherError } = fieldErrors(edit.error, SHOWN_FIELDS)
  const parseError =
    edit.error instanceof Problem && edit.error.code === 'parse_error' ? edit.error.message : null

  return (
    <EntityPage
      noun="query"
      list={{ ...list, label: 'Saved queries' }}
      title={name}
      isCode
      marks={
        <>
          <CopyButton text={name} label="Copy the name" />
          <KindBadge query={query.query} />
          {query.materialization.enabled && <MaterializationBadge materialization={query.materialization} />}
        </>
      }
      note={
        <>
          {query.created_by && <>Created by {nameOf(query.created_by)} </>}
          <Time at={query.created_at} /> · version {query.current_version} ·{' '}
          {query.last_executed_at ? (
            <>
              last run by a key <Time at={query.last_executed_at} />
            </>
          ) : (
            'never run by a key'
          )}
        </>
      }
      actions={
        <>
          <span className="label" aria-hidden>
            {query.is_active ? 'Active' : 'Inactive'}
          </span>
          <WriterFields>
            <Switch
              isChecked={query.is_active}
              onChange={(isActive) => void setActive(projectId, query, isActive)}
              label={`${name} active`}
            />
          </WriterFields>
        </>
      }
      menu={[
        {
          label: 'Duplicate',
          icon: Copy,
          isForViewers: true,
          onSelect: () => void navigate({ ...pagesOf(projectId).newQuery, search: { from: name } }),
        },
        { label: 'Pin to a dashboard…', icon: LayoutDashboard, onSelect: () => setOpen('pin') },
        {
          label: 'OpenAPI document',
          icon: FileJson,
          isForViewers: true,
          href: `/api/projects/${projectId}/endpoints/${name}/openapi.json/`,
        },
      ]}
      remove={{ label: 'Delete…', run: () => setOpen('delete') }}
      notices={
        query.is_active ? (
          isVersionActive || (
            <Notice tone="warn">
              Version {query.current_version}, which is the current one, is inactive: programs that name no
              version get a 400.{' '}
              <Link {...toQuery(projectId, name)} search={{ tab: 'versions' }}>
                Versions
              </Link>
            </Notice>
          )
        ) : (
          <Notice>This query is inactive: programs that run it get a 404. You can still try it here.</Notice>
        )
      }
      tab={tab}
      tabs={[
        ['query', 'Query'],
        ['versions', 'Versions', () => <Versions projectId={projectId} query={query} />],
        ['runs', 'Runs', () => <Runs projectId={projectId} query={query} />],
        [
          'materialization',
          'Materialization',
          () => (
            <Materialization
              projectId={projectId}
              query={query}
              onSuggestion={(text) =>
                edit.replace(edit.base, { ...edit.draft, text }, () => void navigate({ to: '.', search: {} }))
              }
            />
          ),
        ],
        ['call', 'Call it', () => <Call projectId={projectId} query={query} />],
      ]}
      edit={{
        ...edit,
        words: edit.changed.includes('text') ? 'The query is changed.' : 'Settings are changed.',
        issue: edit.isTried ? issue : null,
        refusal: parseError === null ? otherError : null,
        action: 'Review and save',
        onSave: () => edit.setReviewed(edit.try(issue === null)),
        onDiscard: () => edit.discard(),
      }}
    >
      {/* Stays while another tab is shown: the result and the values of variables are part of the edit. */}
      {(tab === 'query' || isEditing) && (
        <div className="stack" hidden={tab !== 'query'}>
          {isEditing ? (
            <EditedQuery
              isShown={tab === 'query'}
              projectId={projectId}
              draft={edit.draft}
              onText={(text) => edit.setDraft((before) => ({ ...before, text }))}
              stored={edit.base.query}
              name={name}
              entered={entered}
              onEntered={setEntered}
              refusal={errorOf('query') ?? parseError ?? (edit.isTried ? issue : null)}
            />
          ) : (
            tab === 'query' && (
              <SavedQuery
                projectId={projectId}
                saved={query}
                isRun={query.is_active && isVersionActive}
                onEdit={() => show(true)}
                entered={entered}
                onEntered={setEntered}
              />
            )
          )}
          <WriterFields>
            <SettingsCard
              draft={edit.draft}
              onChange={(change) => edit.setDraft((before) => ({ ...before, ...change }))}
              refused={errorOf}
            />
          </WriterFields>
        </div>
      )}
      <SaveQuery projectId={projectId} edit={edit} />
      {open === 'pin' && <PinDialog projectId={projectId} name={name} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <DeleteQuery
          projectId={projectId}
          name={name}
          onClose={() => setOpen(null)}
          onDeleted={() => {
            edit.reset(query)
            void navigate({ ...list, ignoreBlocker: true })
          }}
        />
      )}
    </EntityPage>
  )
}
