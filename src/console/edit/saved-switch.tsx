import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ProblemNotice } from '../design/feedback'
import { SwitchRow } from '../design/fields/field'

type SavedSwitchProps = Pick<ComponentProps<typeof SwitchRow>, 'title' | 'hint' | 'isChecked'> & {
  save(isChecked: boolean): Promise<unknown>
}

/** A switch that saves its change. It shows the new value at once, and the earlier one again if that is rejected. */
export function SavedSwitch({ save, ...row }: SavedSwitchProps) {
  const { mutate, isPending, variables, error } = useMutation({ mutationFn: save })
  return (
    <>
      <SwitchRow
        {...row}
        isChecked={isPending ? variables : row.isChecked}
        isBusy={isPending}
        onChange={mutate}
      />
      {error && <ProblemNotice error={error} />}
    </>
  )
}
