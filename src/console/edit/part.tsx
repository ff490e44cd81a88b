// A part of a page that reads, and becomes a form where it stands.
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { Badge } from '../design/small'

interface PartProps {
  title: string
  hint?: ReactNode
  isEdited: boolean
  /** Whether it differs from what is saved. */
  isChanged: boolean
  canEdit: boolean
  onToggle(): void
  /** What it shows, and the form in its place. */
  view: ReactNode
  form: ReactNode
}

export const Part = ({ title, hint, isEdited, isChanged, canEdit, onToggle, view, form }: PartProps) => (
  <Card
    title={title}
    hint={hint}
    action={
      <div className="row">
        {isChanged && <Badge tone="accent">Unsaved</Badge>}
        {canEdit && (
          <Button
            isSmall
            aria-expanded={isEdited}
            aria-label={`${isEdited ? 'Done with' : 'Edit'} ${title}`}
            onClick={onToggle}
          >
            {isEdited ? (
              'Done'
            ) : (
              <>
                <Pencil size={13} aria-hidden /> Edit
              </>
            )}
          </Button>
        )}
      </div>
    }
  >
    {isEdited ? form : view}
  </Card>
)
