import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import { fieldsChanged } from './changed-fields'

/** The names of values that have a field, which shows their error. That of another value is shown below the form. */
type FieldName<Values> = {
  [Name in keyof Values]: Values[Name] extends string | number ? Name : never
}[keyof Values] &
  string

/**
 * Holds what is entered in a form, and saves it at once.
 * @param stored the values where nothing is entered, also after a save
 */
export function useForm<Values extends object, Saved>(
  stored: Values,
  save: (values: Values) => Promise<Saved>,
  onSaved: (saved: Saved) => unknown,
) {
  const [entered, setEntered] = useState<Partial<Values>>({})
  const values = { ...stored, ...entered }
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: save,
    async onSuccess(saved, sent) {
      await onSaved(saved)
      // What was entered during the save stays.
      setEntered((now) => fieldsChanged(sent, { ...sent, ...now }))
    },
  })
  const { errorOf, otherError } = fieldErrors(
    error,
    Object.entries(stored).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [name] : [],
    ),
  )
  const set = (change: Partial<Values>) => setEntered((now) => ({ ...now, ...change }))
  return {
    values,
    set,
    /** What the last save returned. */
    saved: data,
    error,
    field: <Name extends FieldName<Values>>(name: Name) => ({
      value: values[name],
      error: errorOf(name),
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
    }),
    /** For the dialog or the `FormBody` around the fields. */
    props: { isBusy: isPending, error: otherError, onSubmit: () => mutate(values) },
  }
}
