// Items of an import with what is said of each.
import type { Kind } from '../../import/model'
import type { Step } from '../../import/plan'
import { Badge } from '../design/small'

/** More are counted. */
const MAX_SHOWN = 200

const KIND_NAMES: Record<Kind, string> = {
  group_type: 'Group type',
  event_definition: 'Definition of an event',
  property_definition: 'Definition of a property',
  variable: 'Variable',
  cohort: 'Cohort',
  flag: 'Flag',
  query: 'Saved query',
  dashboard: 'Dashboard',
  scheduled_change: 'Scheduled change',
  webhook: 'Webhook',
  project: 'Project',
  approval_policy: 'Approval policy',
}

interface Props {
  title: string
  hint: string
  isOpen: boolean
  steps: readonly Step[]
}

export function StepList({ title, hint, isOpen, steps }: Props) {
  if (steps.length === 0) return null
  return (
    <details className="import-steps" open={isOpen}>
      <summary>
        {title} ({steps.length.toLocaleString('en')})
      </summary>
      <p className="soft small">{hint}</p>
      <ul className="import-list">
        {steps.slice(0, MAX_SHOWN).map((step) => (
          <li key={`${step.item.kind} ${step.item.key}`}>
            <span className="mono">{step.item.key}</span> <Badge>{KIND_NAMES[step.item.kind]}</Badge>
            {linesOf(step).map((line) => (
              <p key={line} className="soft small">
                {line}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {steps.length > MAX_SHOWN && (
        <p className="soft small">and {(steps.length - MAX_SHOWN).toLocaleString('en')} more</p>
      )}
    </details>
  )
}

function linesOf({ action, reason, fields, item }: Step): string[] {
  return [
    ...(reason ? [reason] : []),
    ...(action === 'update' ? [`Changes: ${fields.join(', ')}`] : []),
    ...(action === 'create' || action === 'update' ? item.changes : []),
  ]
}
