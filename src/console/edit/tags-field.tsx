import { type Suggestion, Tokens } from '../design/fields/combobox'
import { Field } from '../design/fields/field'

interface TagsFieldProps {
  tags: readonly string[]
  onChange(tags: string[]): void
  error: string | null
  suggestions?: readonly Suggestion[]
}

export const TagsField = ({ tags, onChange, error, suggestions = [] }: TagsFieldProps) => (
  <Field label="Tags" error={error}>
    {({ id }) => (
      <Tokens
        id={id}
        label="Tags"
        values={tags}
        onChange={onChange}
        suggestions={suggestions}
        placeholder="Add a tag"
      />
    )}
  </Field>
)
