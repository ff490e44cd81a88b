// Shows a flag: what it does, scheduled changes, usage, what a person gets, its history, and code that evaluates it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Copy, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Flag } from '../api/client'
import { fieldErrors } from '../api/field-errors'
import { flagQuery, flagStatusQuery } from '../api/queries'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import { CopyButton } from '../design/small'
import { attentionWords } from '../edit/save-bars'
import { restoreFlags } from '../flags/change-flags'
import TurnFlags, { askTurn } from '../flags/turn-flags'
import { DeleteFlags } from '../flags/delete-flags'
import { FlagBadges } from '../flags/flag-badges'
import { FlagSwitch } from '../flags/flag-switch'
import { changedFields, type Draft, draftOf, issuesOf, SHOWN_FIELDS } from './draft'
import './flag.css'
import { Overview, useEditedSections } from './overview'
import { sectionOf, sectionsWith } from './sections'
import { RenameDialog } from './rename-dialog'
import { SaveFlag } from './save-dialog'
import { setsOf } from '../grammar/sets'
import { flagSentence } from '../grammar/flag-sentence'
import { useWording } from '../grammar/use-wording'
import { useEdit } from '../edit/use-edit'
import { writeFlag } from './write-flag'
import { lazyComponent, nothing } from '../design/lazy-component'
import { EntityPage, Loaded } from '../entity/entity-page'
import { Writers } from '../team/writers'
import { pagesOf, toFlag } from '../shell/pages'

const Requests = lazyComponent(() => import('../approvals/flag-notice'), nothing)
const Scheduled = lazyComponent(() => import('../schedule/flag-notice'), nothing)
const Schedule = lazyComponent(() => import('../schedule/schedule-tab'))
const Usage = lazyComponent(() => import('./usage-tab'))
const People = lazyComponent(() => import('./people-tab'))
const Activity = lazyComponent(() => import('./activity-tab'))
const Code = lazyComponent(() => import('./code-tab'))

const route = getRouteApi('/project/$projectId/feature_flags/$flagId')

/** A deleted flag can only be restored. */
const asEditable = (flag: Flag): Flag => ({ ...flag, can_edit: flag.can_edit && !flag.deleted })

export function FlagPage() {
  const { projectId, flagId } = route.useParams()
  return (
    <Loaded query={useQuery({ ...flagQuery(projectId, flagId), select: asEditable })} noun="flag">
      {(flag) => <Page key={flag.id} projectId={projectId} flag={flag} />}
    </Loaded>
  )
}

const RULES = {
  draftOf,
  changedFields,
  hasMoved: (loaded: Flag, base: Flag) => loaded.version !== base.version,
}

function Page({ projectId, flag }: { projectId: number; flag: Flag }) {
  const { tab, turn } = route.useSearch()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  const [restored, setRestored] = useState<number | null>(null)
  const edit = useEdit<Flag, Draft>(flag, {
    ...RULES,
    name: `flag ${flag.id}`,
    write: (base, draft) => writeFlag(projectId, base, draft),
    onEnd: () => sections.closeAll(),
    onRefused({ attr }) {
      const section = attr === null ? null : sectionOf(attr)
      if (section !== null) sections.open([section])
      if (attr === 'key') setOpen('rename')
    },
  })
  const issues = issuesOf(edit.draft)
  const sections = useEditedSections(edit.before, edit.draft)
  const wording = useWording(projectId, setsOf(flag.filters))
  const { errorOf, otherError } = fieldErrors(edit.error, SHOWN_FIELDS)

  const review = () => {
    setRestored(null)
    edit.setReviewed(edit.try(issues.size === 0))
    if (issues.size === 0) return
    flushSync(() => sections.open(sectionsWith(issues)))
    document
      .querySelector<HTMLElement>('[aria-invalid=true], [data-invalid]')
      ?.scrollIntoView({ block: 'center' })
  }
  const restore = (fields: Partial<Draft>, version: number) =>
    edit.replace(flag, { ...draftOf(flag), ...fields }, () => {
      sections.closeAll()
      setRestored(version)
      edit.setReviewed(edit.try(true))
    })
  const list = pagesOf(projectId).flags
  const actions = (
    <>
      <span className="label" aria-hidden>
        {flag.active ? 'Enabled' : 'Disabled'}
      </span>
      <FlagSwitch projectId={projectId} flag={flag} />
    </>
  )
  const menu = [
    { label: 'Rename…', icon: SquarePen, disabled: !flag.can_edit, onSelect: () => setOpen('rename') },
    {
      label: 'Duplicate',
      icon: Copy,
      onSelect: () => void navigate({ ...pagesOf(projectId).newFlag, search: { from: flag.id } }),
    },
    {
      label: flag.archived ? 'Take out of archive' : 'Archive',
      icon: flag.archived ? ArchiveRestore : Archive,
      onSelect: () => askTurn(projectId, [flag], flag.archived ? 'taken out of the archive' : 'archived'),
    },
  ]

  return (
    <EntityPage
      noun="flag"
      list={{ ...list, label: 'Feature flags' }}
      title={flag.key}
      isCode
      marks={
        <>
          <CopyButton text={flag.key} label="Copy the key" />
          <FlagBadges flag={flag} />
        </>
      }
      note={<span className="sentence">{flagSentence(flag, wording)}</span>}
      {...(!flag.deleted && { actions, menu, remove: { label: 'Delete…', run: () => setOpen('delete') } })}
      notices={
        <>
          <StatusNotice projectId={projectId} flag={flag} />
          <ManagedNotice flag={flag} />
          <Requests projectId={projectId} flagId={flag.id} />
          {tab !== 'schedule' && <Scheduled projectId={projectId} flagId={flag.id} />}
        </>
      }
      tab={tab}
      tabs={[
        [
          'release',
          'Overview',
          () => (
            <>
              <Overview
                projectId={projectId}
                flag={flag}
                base={edit.before}
                draft={edit.draft}
                onChange={edit.setDraft}
                issues={issues}
                areIssuesShown={edit.isTried}
                refused={errorOf}
                edited={sections.edited}
                onToggle={sections.toggle}
              />
            </>
          ),
        ],
        ['schedule', 'Schedule', () => <Schedule projectId={projectId} flag={flag} />],
        ['usage', 'Usage', () => <Usage projectId={projectId} flag={flag} />],
        ['people', 'Try it', () => <People projectId={projectId} flag={flag} />],
        ['activity', 'History', () => <Activity projectId={projectId} flag={flag} onRestore={restore} />],
        ['code', 'Code', () => <Code projectId={projectId} flag={flag} />],
      ]}
      edit={{
        ...edit,
        words:
          edit.changed.length === 1 ? 'One field is changed.' : `${edit.changed.length} fields are changed.`,
        issue: edit.isTried ? attentionWords(issues.size) : null,
        refusal: otherError,
        action: 'Review and save',
        onSave: review,
        onDiscard: () => edit.discard(),
      }}
    >
      <SaveFlag projectId={projectId} edit={edit} restored={restored} />
      {turn && flag.can_edit && !flag.archived && (
        <TurnFlags
          projectId={projectId}
          flags={[flag]}
          to={flag.active ? 'disabled' : 'enabled'}
          onClose={() =>
            void navigate({
              ...toFlag(projectId, flag.id),
              replace: true,
            })
          }
        />
      )}
      {open === 'rename' && (
        <RenameDialog
          flag={flag}
          draft={edit.draft}
          refused={errorOf('key')}
          onClose={() => setOpen(null)}
          onRename={(key) => {
            edit.setDraft({ ...edit.draft, key })
            setOpen(null)
            setRestored(null)
            edit.setReviewed(edit.try(true))
          }}
        />
      )}
      {open === 'delete' && (
        <DeleteFlags
          projectId={projectId}
          ids={[flag.id]}
          onClose={() => setOpen(null)}
          onDeleted={() => {
            edit.reset(flag)
            void navigate({ ...list, ignoreBlocker: true })
          }}
        />
      )}
    </EntityPage>
  )
}

/** The tag that `npm run flags` gives the flags of its file. */
const MANAGED = 'managed-by:'

function ManagedNotice({ flag }: { flag: Flag }) {
  const tag = flag.tags.find((each) => each.startsWith(MANAGED))
  return tag === undefined ? null : (
    <Notice>
      The file <strong>{tag.slice(MANAGED.length)}</strong> manages this flag. An edit here is reported as
      drift, and the next apply of the file takes it back.
    </Notice>
  )
}

/** Explains why a flag is deleted, archived or stale, and what can be done. */
function StatusNotice({ projectId, flag }: { projectId: number; flag: Flag }) {
  const status = useQuery({
    ...flagStatusQuery(projectId, flag.id),
    enabled: flag.status === 'STALE' && !flag.deleted,
  })
  if (flag.deleted)
    return (
      <Notice tone="warn">
        This flag is deleted: it is off for everyone.{' '}
        <Writers>
          <Button isSmall onClick={() => void restoreFlags(projectId, [flag])}>
            Restore
          </Button>
        </Writers>
      </Notice>
    )
  if (flag.archived)
    return (
      <Notice>
        This flag is archived: it is off for everyone and hidden from lists.{' '}
        <Writers>
          <Button isSmall onClick={() => askTurn(projectId, [flag], 'taken out of the archive')}>
            Take out of archive
          </Button>
        </Writers>
      </Notice>
    )
  if (!status.data) return null
  return (
    <Notice tone="warn">
      This flag is stale. {status.data.reason} If code no longer asks for it, archive it.{' '}
      <Writers>
        <Button isSmall onClick={() => askTurn(projectId, [flag], 'archived')}>
          Archive
        </Button>
      </Writers>
    </Notice>
  )
}
