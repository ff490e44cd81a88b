// Shows what can be done with several flags at once.
import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Tag, ToggleLeft, ToggleRight, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { inProject } from '../api/queries'
import { type Flag, read, post } from '../api/client'
import { Button, IconButton } from '../design/button'
import { Dialog } from '../design/popups/dialog'
import { SelectField, TextField } from '../design/fields/field'
import { Notice, ProblemNotice } from '../design/feedback'
import { say, sayProblem } from '../design/popups/toast'
import type { Selection } from '../list/list-page'
import { flagsWith, MAX_IN_REQUEST, refreshFlags, setArchived, undoEach } from './change-flags'
import { DeleteFlags } from './delete-flags'
import type { FlagSearch } from './search'
import TurnFlags from './turn-flags'

const TURNS = [
  [true, 'Enable'],
  [false, 'Disable'],
] as const

/** Flags that are to be enabled or disabled. */
interface Turning {
  flags: readonly Flag[]
  active: boolean
}

interface BulkBarProps extends Selection<Flag> {
  projectId: number
  search: FlagSearch
}

export default function BulkBar({ projectId, search, count, items: flags, ids, onSelect }: BulkBarProps) {
  const [open, setOpen] = useState<'tags' | 'delete' | Turning | null>(null)
  const selectAll = useMutation({
    mutationFn: () =>
      read('/api/projects/{project_id}/feature_flags/matching_ids/', {
        path: inProject(projectId),
        query: filter,
      }),
    onSuccess: (matching) => onSelect(new Set(matching.ids)),
    onError: (error) => sayProblem(error, () => selectAll.mutate()),
  })
  const clear = () => onSelect(new Set())
  const { order: _, ...filter } = search
  const readFlags = () => flagsWith(projectId, ids, flags, filter)
  const allArchived =
    search.archived === 'true' || (flags.length > 0 && flags.every(({ archived }) => archived))
  const [progress, setProgress] = useState(0)
  const archive = useMutation({
    mutationFn: async () =>
      setArchived(projectId, await readFlags(), !allArchived, {
        onProgress: setProgress,
        onRetry: () => archive.mutate(),
      }),
    onMutate: () => setProgress(0),
    // Those that failed stay selected, for another attempt.
    onSuccess: (failed) => onSelect(new Set(failed.map(({ id }) => id))),
    onError: (error) => sayProblem(error, () => archive.mutate()),
  })
  const turn = useMutation({
    mutationFn: async (active: boolean) => (await readFlags()).filter((flag) => flag.active !== active),
    onSuccess: (others, active) =>
      others.length === 0
        ? say(`The selected flags are already ${active ? 'enabled' : 'disabled'}.`)
        : setOpen({ flags: others, active }),
    onError: (error, active) => sayProblem(error, () => turn.mutate(active)),
  })
  // An action takes the whole selection, so it waits for it.
  const isBusy = selectAll.isPending || archive.isPending || turn.isPending
  return (
    <>
      <div className="bulk-bar" role="region" aria-label="Selected flags">
        <strong aria-live="polite">{ids.size} selected</strong>
        {archive.isPending && progress > 0 && <span className="soft">{progress} done</span>}
        {ids.size < count && (
          <Button isSmall kind="plain" isBusy={selectAll.isPending} onClick={() => selectAll.mutate()}>
            Select all {count}
          </Button>
        )}
        <Button isSmall disabled={isBusy} onClick={() => setOpen('tags')}>
          <Tag size={14} aria-hidden /> Tags
        </Button>
        {!allArchived &&
          TURNS.map(([active, label]) => (
            <Button
              key={label}
              isSmall
              disabled={isBusy && !(turn.isPending && turn.variables === active)}
              isBusy={turn.isPending && turn.variables === active}
              onClick={() => turn.mutate(active)}
            >
              {active ? <ToggleRight size={14} aria-hidden /> : <ToggleLeft size={14} aria-hidden />} {label}
            </Button>
          ))}
        <Button
          isSmall
          disabled={isBusy && !archive.isPending}
          isBusy={archive.isPending}
          onClick={() => archive.mutate()}
        >
          {allArchived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
          {allArchived ? 'Take out of archive' : 'Archive'}
        </Button>
        <Button isSmall kind="danger" disabled={isBusy} onClick={() => setOpen('delete')}>
          <Trash2 size={14} aria-hidden /> Delete
        </Button>
        <IconButton label="Clear the selection" isSmall onClick={clear}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      {open === 'tags' && (
        <TagsDialog
          projectId={projectId}
          ids={[...ids]}
          readFlags={readFlags}
          onClose={() => setOpen(null)}
        />
      )}
      {typeof open === 'object' && open !== null && (
        <TurnFlags
          projectId={projectId}
          {...open}
          onClose={() => setOpen(null)}
          onDone={(failed) => onSelect(new Set(failed.map(({ id }) => id)))}
        />
      )}
      {open === 'delete' && (
        <DeleteFlags projectId={projectId} ids={[...ids]} onClose={() => setOpen(null)} onDeleted={clear} />
      )}
    </>
  )
}

const ACTIONS = [
  ['add', 'Add these tags'],
  ['remove', 'Remove these tags'],
  ['set', 'Replace all tags with these'],
] as const

interface TagsDialogProps {
  projectId: number
  ids: number[]
  /** The flags as they are. */
  readFlags(): Promise<Flag[]>
  onClose(): void
}

function TagsDialog({ projectId, ids, readFlags, onClose }: TagsDialogProps) {
  const [action, setAction] = useState<'add' | 'remove' | 'set'>('add')
  const [text, setText] = useState('')
  const tags = text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  const tag = (some: number[]) =>
    post(
      '/api/projects/{project_id}/feature_flags/bulk_update_tags/',
      { path: inProject(projectId) },
      { ids: some, action, tags },
    )
  const change = useMutation({
    async mutationFn() {
      const before = await readFlags()
      type Result = Awaited<ReturnType<typeof tag>>
      const updated: Result['updated'] = []
      const skipped: Result['skipped'] = []
      for (let at = 0; at < ids.length; at += MAX_IN_REQUEST) {
        const result = await tag(ids.slice(at, at + MAX_IN_REQUEST))
        updated.push(...result.updated)
        skipped.push(...result.skipped)
      }
      return { updated, skipped, before }
    },
    async onSuccess({ updated, skipped, before }) {
      await refreshFlags(projectId)
      const written = new Map(updated.map(({ id, tags: now }) => [id, now]))
      const changed = before.flatMap((flag) => {
        const now = written.get(flag.id)
        return now && now.toSorted().join('\n') !== flag.tags.toSorted().join('\n')
          ? [{ flag, written: { tags: now } }]
          : []
      })
      const undo = () => undoEach(projectId, changed, 'tagged as before')
      say(
        `Tags of ${changed.length} ${changed.length === 1 ? 'flag' : 'flags'} changed.`,
        changed.length > 0 ? () => void undo() : undefined,
      )
      if (skipped.length === 0) onClose()
    },
  })
  return (
    <Dialog
      title={`Tags of ${ids.length} ${ids.length === 1 ? 'flag' : 'flags'}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{change.isSuccess ? 'Close' : 'Cancel'}</Button>
          <Button
            kind="primary"
            disabled={tags.length === 0 && action !== 'set'}
            isBusy={change.isPending}
            onClick={() => change.mutate()}
          >
            Change tags
          </Button>
        </>
      }
    >
      <SelectField label="Action" value={action} options={ACTIONS} onChange={(chosen) => setAction(chosen)} />
      <TextField label="Tags" hint="Separate tags with commas." value={text} autoFocus onChange={setText} />
      {change.isError && <ProblemNotice error={change.error} />}
      {change.data && change.data.skipped.length > 0 && (
        <Notice tone="warn">
          {change.data.updated.length} changed. {change.data.skipped.length} left as they were:{' '}
          {change.data.skipped[0]!.reason}
        </Notice>
      )}
    </Dialog>
  )
}
