// Renders a section of a page that shows values, and becomes a form in its place.
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { Badge } from '../design/small'

interface EditableSectionProps {
  title: string
  hint?: ReactNode
  isEdited: boolean
  /** Whether the section differs from its saved state. */
  isChanged: boolean
  canEdit: boolean
  onToggle(): void
  /** The values, and the form that replaces them. */
  view: ReactNode
  form: ReactNode
}

export const EditableSection = ({
  title,
  hint,
  isEdited,
  isChanged,
  canEdit,
  onToggle,
  view,
  form,
}: EditableSectionProps) => (
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
