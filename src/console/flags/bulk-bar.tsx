// Shows what can be done with several flags at once.
import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Tag, ToggleLeft, ToggleRight, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { inProject } from '../api/queries'
import { type Flag, read, post } from '../api/client'
import { Button, IconButton } from '../design/button'
import { Dialog } from '../design/popups/dialog'
import { SelectField, TextField } from '../design/fields/field'
import { Notice } from '../design/feedback'
import { say, sayProblem } from '../design/popups/toast'
import type { Selection } from '../list/list-page'
import { flagsWith, MAX_IN_REQUEST, refreshFlags, type Turn, turnEach, undoEach } from './change-flags'
import { DeleteFlags } from './delete-flags'
import type { FlagSearch } from './search'
import { askTurn } from './turn-flags'

/** What the selected flags may become. */
const TURNS = [
  ['enabled', 'Enable', ToggleRight],
  ['disabled', 'Disable', ToggleLeft],
  ['archived', 'Archive', Archive],
  ['taken out of the archive', 'Take out of archive', ArchiveRestore],
] as const

/** Returns whether a flag would not change. */
const isAlready = ({ active, archived }: Flag, to: Turn): boolean =>
  to === 'enabled' ? active : to === 'disabled' ? !active : archived === (to === 'archived')

interface BulkBarProps extends Selection<Flag> {
  projectId: number
  search: FlagSearch
}

export default function BulkBar({ projectId, search, count, items: flags, ids, onSelect }: BulkBarProps) {
  const [open, setOpen] = useState<'tags' | 'delete' | null>(null)
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
  const change = useMutation({
    mutationFn: ([to, some]: [Turn, readonly Flag[]]) =>
      turnEach(projectId, some, to, {
        onProgress: setProgress,
        onRetry: (failed) => change.mutate([to, failed]),
      }),
    onMutate: () => setProgress(0),
    // Those that failed stay selected, for another attempt.
    onSuccess: (failed) => onSelect(new Set(failed.map(({ id }) => id))),
  })
  const turn = useMutation({
    mutationFn: async (to: Turn) => (await readFlags()).filter((flag) => !isAlready(flag, to)),
    onSuccess: (others, to) =>
      others.length === 0
        ? say(`The selected flags are already ${to}.`)
        : askTurn(projectId, others, to, () => change.mutate([to, others])),
    onError: (error, to) => sayProblem(error, () => turn.mutate(to)),
  })
  const turning = turn.isPending ? turn.variables : change.isPending ? change.variables[0] : null
  // An action takes the whole selection, so it waits for it.
  const isBusy = selectAll.isPending || turning !== null
  return (
    <>
      <div className="bulk-bar" role="region" aria-label="Selected flags">
        <strong aria-live="polite">{ids.size} selected</strong>
        {change.isPending && progress > 0 && <span className="soft">{progress} done</span>}
        {ids.size < count && (
          <Button isSmall kind="plain" isBusy={selectAll.isPending} onClick={() => selectAll.mutate()}>
            Select all {count}
          </Button>
        )}
        <Button isSmall disabled={isBusy} onClick={() => setOpen('tags')}>
          <Tag size={14} aria-hidden /> Tags
        </Button>
        {TURNS.filter(([to]) => (to === 'taken out of the archive') === allArchived).map(
          ([to, label, Icon]) => (
            <Button
              key={to}
              isSmall
              disabled={isBusy && turning !== to}
              isBusy={turning === to}
              onClick={() => turn.mutate(to)}
            >
              <Icon size={14} aria-hidden /> {label}
            </Button>
          ),
        )}
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
      error={change.error}
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
      {change.data && change.data.skipped.length > 0 && (
        <Notice tone="warn">
          {change.data.updated.length} changed. {change.data.skipped.length} left as they were:{' '}
          {change.data.skipped[0]!.reason}
        </Notice>
      )}
    </Dialog>
  )
}
