// Shows the switch of a flag, which asks before it changes what people get.
import { useState } from 'react'
import type { Flag } from '../api/client'
import { Switch } from '../design/fields/field'
import { lazyDialog } from '../design/lazy-component'

const load = () => import('./turn-flags')
const TurnFlags = lazyDialog(load)

export function FlagSwitch({ projectId, flag }: { projectId: number; flag: Flag }) {
  const [asked, setAsked] = useState<boolean | null>(null)
  return (
    <span onPointerEnter={() => void load().catch(() => {})}>
      <Switch
        isChecked={flag.active}
        disabled={!flag.can_edit || flag.archived}
        onChange={setAsked}
        label={`${flag.key} enabled`}
      />
      {asked !== null && (
        <TurnFlags
          projectId={projectId}
          flags={[flag]}
          to={asked ? 'enabled' : 'disabled'}
          onClose={() => setAsked(null)}
        />
      )}
    </span>
  )
}
