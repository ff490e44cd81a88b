import { Tokens } from '../design/combobox'
import { Field } from '../design/field'

interface TagsFieldProps {
  tags: readonly string[]
  onChange(tags: string[]): void
  error: string | undefined
}

export const TagsField = ({ tags, onChange, error }: TagsFieldProps) => (
  <Field label="Tags" error={error}>
    {({ id }) => <Tokens id={id} label="Tags" values={tags} onChange={onChange} placeholder="Add a tag" />}
  </Field>
)
