// Shows the history of a flag, with versions that can be restored.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type Flag, read } from '../api/client'
import { flagActivityQuery, inProject } from '../api/queries'
import { HELD_WORDS, useHoldsUpdate } from '../approvals/use-holds'
import { Button } from '../design/button'
import { Notice } from '../design/feedback'
import { Confirm } from '../design/popups/dialog'
import { Badge } from '../design/small'
import { say } from '../design/popups/toast'
import { fieldsWith, type FieldWith } from '../../flag-fields'
import { versionOf } from '../activity/entry-list'
import { History } from '../activity/history'
import { OvertakenDialog } from '../edit/overtaken-dialog'
import { refreshFlags, sayHeld, updateFlag } from '../flags/change-flags'
import { ChangeList } from '../grammar/difference-list'
import { changesBetween } from '../grammar/differences'
import { DRAFT_FIELDS, draftOf } from './draft'
import { changerOf } from './last-change'
import { overtaking } from './write-flag'

const RESTORED = fieldsWith('restore')

type Restored = Pick<Flag, FieldWith<'restore'>>

export default function ActivityTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const activity = useInfiniteQuery(flagActivityQuery(projectId, flag.id))
  const [version, setVersion] = useState<number | null>(null)
  return (
    <div className="stack">
      <History
        activity={activity}
        action={(entry) => {
          const at = versionOf(entry)
          return at === null ? null : at === flag.version ? (
            <Badge>Version {at}, current</Badge>
          ) : (
            flag.can_edit && (
              <Button isSmall onClick={() => setVersion(at)}>
                <RotateCcw size={13} aria-hidden /> Restore version {at}
              </Button>
            )
          )
        }}
      />
      {version !== null && (
        <Restore projectId={projectId} flag={flag} version={version} onClose={() => setVersion(null)} />
      )}
    </div>
  )
}

interface RestoreProps {
  projectId: number
  flag: Flag
  version: number
  onClose(): void
}

/** Asks before a version becomes the current one again, as a new version. */
function Restore({ projectId, flag, version, onClose }: RestoreProps) {
  const past = useQuery({
    queryKey: ['project', projectId, 'version', flag.id, version],
    queryFn: () =>
      read('/api/projects/{project_id}/feature_flags/{id}/versions/{version_number}/', {
        path: { ...inProject(projectId), id: flag.id, version_number: version },
      }),
  })
  // The flag that the difference is to, even when another user saves in between.
  const [base, setBase] = useState(flag)
  const [current, setCurrent] = useState<Flag | null>(null)
  const changes = past.data ? changesBetween<Restored>(RESTORED, base, past.data) : []
  const isHeld = useHoldsUpdate(
    projectId,
    changes.map(({ field }) => field),
  )
  const restore = useMutation({
    mutationFn: () =>
      updateFlag(projectId, flag.id, {
        ...Object.fromEntries(changes.map(({ field, after }) => [field, after])),
        version: base.version,
        original_flag: base as unknown as Record<string, never>,
      }),
    async onSuccess() {
      await refreshFlags(projectId)
      say(`Version ${version} is restored.`)
      onClose()
    },
    async onError(error) {
      if (sayHeld(projectId, error)) onClose()
      else setCurrent(await overtaking(projectId, base, error))
    },
  })
  if (current)
    return (
      <OvertakenDialog
        what="flag"
        heading={changerOf(current)}
        theirs={<ChangeList changes={changesBetween(DRAFT_FIELDS, draftOf(base), draftOf(current))} />}
        mine={<ChangeList changes={changes} />}
        onClose={onClose}
        onDiscard={() => {
          void refreshFlags(projectId)
          onClose()
        }}
        onContinue={() => {
          restore.reset()
          setBase(current)
          setCurrent(null)
        }}
      />
    )
  return (
    <Confirm
      title={`Restore version ${version}?`}
      action={isHeld ? 'Request approval' : 'Restore'}
      isDanger={false}
      isBusy={restore.isPending || past.isPending}
      error={restore.error ?? past.error}
      onClose={onClose}
      onConfirm={() => restore.mutate()}
    >
      {past.data && (
        <>
          {changes.length === 0 && <p>The flag is already as it was then.</p>}
          <ChangeList changes={changes} />
          {isHeld && <Notice>{HELD_WORDS}</Notice>}
          <p className="soft small">
            The key, tags, evaluation contexts and archiving stay as they are now
            {past.data.has_encrypted_payloads && ', and so does an encrypted value'}.
          </p>
        </>
      )}
    </Confirm>
  )
}
