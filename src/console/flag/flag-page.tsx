// A flag: what it does, scheduled changes, usage, what a person gets, its history, and code that evaluates it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Copy, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { PageHeader } from '../design/page-header'
import type { Flag } from '../api/client'
import type { Problem } from '../api/problem'
import { flagQuery, flagStatusQuery } from '../api/queries'
import { useHolds } from '../approvals/use-holds'
import { Button } from '../design/button'
import { Notice, PageLoading, PageProblem } from '../design/feedback'
import { MoreMenu } from '../design/popups/menu'
import { usePageName } from '../design/page-title'
import { CopyButton } from '../design/small'
import { Tabs } from '../design/tabs'
import { LeaveDialog } from '../edit/leave-dialog'
import { ChangesBar } from '../edit/save-bars'
import { setArchived } from '../flags/change-flags'
import { DeleteFlags } from '../flags/delete-flags'
import { FlagBadges } from '../flags/flag-badges'
import { FlagSwitch } from '../flags/flag-switch'
import type { FlagTab } from '../router'
import { Crumb } from '../design/crumb'
import { draftOf } from './draft'
import './flag.css'
import { Overview, useEditedParts } from './overview'
import { partOf, partsWith } from './parts'
import { RenameDialog } from './rename-dialog'
import { SaveDialog } from './save-dialog'
import { setsOf } from '../grammar/conditions'
import { flagSentence } from '../grammar/flag-sentence'
import { useWording } from '../grammar/use-wording'
import { useFlagDraft } from './use-flag-draft'
import { lazyPart, nothing } from '../design/lazy-part'
import { useSaveKey, Writers } from '../team/writers'

const Requests = lazyPart(() => import('../approvals/flag-notice'), nothing)
const Schedule = lazyPart(() => import('../schedule/schedule-tab'))
const Usage = lazyPart(() => import('./usage-tab'))
const People = lazyPart(() => import('./people-tab'))
const Activity = lazyPart(() => import('./activity-tab'))
const Code = lazyPart(() => import('./code-tab'))
const Turn = lazyPart(() => import('../flags/turn-flags'), nothing)

const route = getRouteApi('/project/$projectId/feature_flags/$flagId')

const TABS: readonly (readonly [FlagTab, string])[] = [
  ['release', 'Overview'],
  ['schedule', 'Schedule'],
  ['usage', 'Usage'],
  ['people', 'Try it'],
  ['activity', 'History'],
  ['code', 'Code'],
]

export function FlagPage() {
  const { projectId, flagId } = route.useParams()
  const flag = useQuery(flagQuery(projectId, flagId))
  if (flag.isPending) return <PageLoading label="Loading the flag" />
  if (!flag.data) return <PageProblem error={flag.error} onRetry={() => void flag.refetch()} />
  return <Loaded key={flag.data.id} projectId={projectId} flag={flag.data} />
}

function Loaded({ projectId, flag }: { projectId: number; flag: Flag }) {
  usePageName(flag.key)
  const { tab = 'release', turn } = route.useSearch()
  const navigate = useNavigate()
  const edit = useFlagDraft(flag)
  const parts = useEditedParts(draftOf(edit.base), edit.draft)
  const wording = useWording(projectId, setsOf(flag.filters))
  const areUpdatesHeld = useHolds(projectId, 'feature_flag.update')
  const [open, setOpen] = useState<'save' | 'rename' | 'delete' | null>(null)
  const [areIssuesShown, setAreIssuesShown] = useState(false)
  const [refusal, setRefusal] = useState<Problem | null>(null)

  const review = () => {
    setAreIssuesShown(true)
    setRefusal(null)
    if (edit.issues.size === 0) {
      setOpen('save')
      return
    }
    flushSync(() => parts.open(partsWith(edit.issues)))
    document
      .querySelector<HTMLElement>('[aria-invalid=true], [data-invalid]')
      ?.scrollIntoView({ block: 'center' })
  }
  /** Ends the edit: what is shown is `shown`. */
  const finish = (shown: Flag) => {
    edit.reset(shown)
    parts.closeAll()
    setRefusal(null)
    setAreIssuesShown(false)
    setOpen(null)
  }
  useSaveKey(() => edit.isChanged && review())

  return (
    <>
      <Crumb to="/project/$projectId/feature_flags" params={{ projectId }} search={{}}>
        Feature flags
      </Crumb>
      <PageHeader
        title={flag.key}
        isCode
        marks={
          <>
            <CopyButton text={flag.key} label="Copy the key" />
            <FlagBadges flag={flag} />
          </>
        }
        note={<span className="sentence">{flagSentence(flag, wording)}</span>}
      >
        <div className="row">
          <span className="label" aria-hidden>
            {flag.active ? 'Enabled' : 'Disabled'}
          </span>
          <FlagSwitch projectId={projectId} flag={flag} />
          <Writers>
            <MoreMenu
              groups={[
                {
                  items: [
                    {
                      label: 'Rename…',
                      icon: <SquarePen size={15} aria-hidden />,
                      disabled: !flag.can_edit,
                      onSelect: () => setOpen('rename'),
                    },
                    {
                      label: 'Duplicate',
                      icon: <Copy size={15} aria-hidden />,
                      onSelect: () =>
                        void navigate({
                          to: '/project/$projectId/feature_flags/new',
                          params: { projectId },
                          search: { from: flag.id },
                        }),
                    },
                    {
                      label: flag.archived ? 'Take out of archive' : 'Archive',
                      icon: flag.archived ? (
                        <ArchiveRestore size={15} aria-hidden />
                      ) : (
                        <Archive size={15} aria-hidden />
                      ),
                      onSelect: () => void setArchived(projectId, [flag], !flag.archived),
                    },
                  ],
                },
                {
                  items: [
                    {
                      label: 'Delete…',
                      icon: <Trash2 size={15} aria-hidden />,
                      isDanger: true,
                      onSelect: () => setOpen('delete'),
                    },
                  ],
                },
              ]}
            />
          </Writers>
        </div>
      </PageHeader>

      <StatusNotice projectId={projectId} flag={flag} />
      <ManagedNotice flag={flag} />
      <Requests projectId={projectId} flagId={flag.id} />

      <Tabs
        label="Parts of the flag"
        current={tab}
        tabs={TABS}
        unsaved={edit.isChanged ? 'release' : undefined}
      />

      {tab === 'release' ? (
        <>
          {refusal && refusal.attr === null && <Notice tone="bad">{refusal.message}</Notice>}
          <Overview
            projectId={projectId}
            flag={flag}
            base={draftOf(edit.base)}
            draft={edit.draft}
            onChange={edit.setDraft}
            issues={edit.issues}
            areIssuesShown={areIssuesShown}
            refusal={refusal}
            edited={parts.edited}
            onToggle={parts.toggle}
          />
        </>
      ) : (
        <>
          {tab === 'schedule' && <Schedule projectId={projectId} flag={flag} />}
          {tab === 'usage' && <Usage projectId={projectId} flag={flag} />}
          {tab === 'people' && <People projectId={projectId} flag={flag} />}
          {tab === 'activity' && <Activity projectId={projectId} flag={flag} />}
          {tab === 'code' && <Code projectId={projectId} flag={flag} />}
        </>
      )}

      {edit.isChanged && (
        <ChangesBar
          save={
            <Button kind="primary" onClick={review}>
              Review and save
            </Button>
          }
          onDiscard={() => finish(flag)}
        >
          {edit.changed.length === 1 ? 'One field is changed.' : `${edit.changed.length} fields are changed.`}
          {areIssuesShown && edit.issues.size > 0 && (
            <span className="error-text">
              {' '}
              {edit.issues.size === 1 ? 'One needs' : `${edit.issues.size} need`} your attention.
            </span>
          )}
        </ChangesBar>
      )}
      {open === 'save' && (
        <SaveDialog
          projectId={projectId}
          base={edit.base}
          draft={edit.draft}
          areUpdatesHeld={areUpdatesHeld}
          onClose={() => setOpen(null)}
          onSaved={finish}
          onRebase={(current, draft) => {
            edit.reset(current, draft)
            setOpen(null)
          }}
          onRefused={(problem) => {
            setRefusal(problem)
            const part = problem.attr === null ? null : partOf(problem.attr)
            if (part !== null) parts.open([part])
            setOpen(problem.attr === 'key' ? 'rename' : null)
          }}
        />
      )}
      {turn && flag.can_edit && !flag.archived && (
        <Turn
          projectId={projectId}
          flags={[flag]}
          active={!flag.active}
          onClose={() =>
            void navigate({
              to: '/project/$projectId/feature_flags/$flagId',
              params: { projectId, flagId: flag.id },
              search: {},
              replace: true,
            })
          }
        />
      )}
      {open === 'rename' && (
        <RenameDialog
          flag={flag}
          draft={edit.draft}
          refused={refusal?.attr === 'key' ? refusal.message : undefined}
          onClose={() => setOpen(null)}
          onRename={(key) => {
            edit.setDraft({ ...edit.draft, key })
            setRefusal(null)
            setOpen('save')
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
            void navigate({
              to: '/project/$projectId/feature_flags',
              params: { projectId },
              search: {},
              ignoreBlocker: true,
            })
          }}
        />
      )}
      <LeaveDialog blocker={edit.blocker}>Your changes to {flag.key} are not saved.</LeaveDialog>
    </>
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

/** Why a flag is stale or archived, and what can be done. */
function StatusNotice({ projectId, flag }: { projectId: number; flag: Flag }) {
  const status = useQuery({ ...flagStatusQuery(projectId, flag.id), enabled: flag.status === 'STALE' })
  if (flag.archived)
    return (
      <Notice>
        This flag is archived: it is off for everyone and hidden from lists.{' '}
        <Writers>
          <Button isSmall onClick={() => void setArchived(projectId, [flag], false)}>
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
        <Button isSmall onClick={() => void setArchived(projectId, [flag], true)}>
          Archive
        </Button>
      </Writers>
    </Notice>
  )
}
