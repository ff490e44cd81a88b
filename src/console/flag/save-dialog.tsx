// Shows what an edit of a flag changes before it is saved.
import { Link } from '@tanstack/react-router'
import type { Flag } from '../api/client'
import { Problem } from '../api/problem'
import { HELD_WORDS, useHoldsUpdate } from '../approvals/use-holds'
import { Notice } from '../design/feedback'
import { nameOf } from '../design/small'
import { SaveDialog } from '../edit/save-dialog'
import type { Edit } from '../edit/use-edit'
import { ChangeList } from '../grammar/difference-list'
import { changesBetween } from '../grammar/differences'
import { toRequest } from '../shell/item-pages'
import { type Draft, DRAFT_FIELDS } from './draft'
import { rebase } from './merge'

interface SaveFlagProps {
  projectId: number
  edit: Edit<Flag, Draft>
  /** The number of the version that the edit restores, if it does. */
  restored: number | null
}

export function SaveFlag({ projectId, edit, restored }: SaveFlagProps) {
  const { base, draft, changed, error } = edit
  const isHeld = useHoldsUpdate(projectId, changed)
  return (
    <SaveDialog
      noun="flag"
      edit={edit}
      title={
        restored !== null
          ? `Restore version ${restored}?`
          : isHeld
            ? 'Request approval for these changes'
            : 'Save changes'
      }
      action={isHeld ? 'Request approval' : restored !== null ? 'Restore' : 'Save'}
      {...(restored !== null && { keep: 'Cancel', onClose: () => edit.rebase(base) })}
      differences={(before, after) => <ChangeList changes={changesBetween(DRAFT_FIELDS, before, after)} />}
      headingOf={({ last_modified_by: by }) => `${by ? nameOf(by) : 'Somebody else'} changed`}
      rebase={(current) => {
        const rebased = rebase(base, draft, current)
        const { length } = rebased.collisions
        return {
          draft: rebased.draft,
          collisions: length > 0 && <ChangeList changes={rebased.collisions} />,
        }
      }}
    >
      {isHeld && <Notice>{HELD_WORDS}</Notice>}
      {changed.includes('key') && (
        <Notice tone="warn">Code that asks for {base.key} gets no value once this is saved.</Notice>
      )}
      {error instanceof Problem && error.changeRequestId !== null && (
        <Link {...toRequest(projectId, error.changeRequestId)} target="_blank">
          View the pending request
        </Link>
      )}
    </SaveDialog>
  )
}
