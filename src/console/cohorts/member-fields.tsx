// Shows a list of persons: pasted ids, or a CSV file.
import { FileUp, X } from 'lucide-react'
import { useId, useState } from 'react'
import { buttonClass, IconButton } from '../design/button'
import { AreaField, Select } from '../design/fields/field'
import './cohorts.css'
import { type IdKind, idCount, type MemberList } from './member-list'

interface MemberFieldsProps {
  list: MemberList
  onChange(list: MemberList): void
  error: string | null
}

const KINDS: readonly (readonly [IdKind, string])[] = [
  ['distinct_id', 'Distinct ids'],
  ['person_id', 'Ids of people (UUIDs)'],
]

/** The most bytes of a file, which suffice for 10,000 ids. */
const MAX_FILE_BYTES = 4 * 1024 * 1024

export function MemberFields({ list, onChange, error }: MemberFieldsProps) {
  const id = useId()
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const count = idCount(list.text)
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (file.size > MAX_FILE_BYTES) {
      setFileProblem(`${file.name} is larger than 4 MB. Split it: at most 10,000 people are added at once.`)
      return
    }
    setFileProblem(null)
    onChange({ ...list, file: { name: file.name, text: await file.text() } })
  }
  return (
    <div className="stack">
      {list.file ? (
        <div className="field">
          <span className="label">File</span>
          <div className="row">
            <span className="mono truncate">{list.file.name}</span>
            <IconButton label="Remove the file" isSmall onClick={() => onChange({ ...list, file: null })}>
              <X size={15} aria-hidden />
            </IconButton>
          </div>
          {error && (
            <p className="error" role="alert">
              {error}
            </p>
          )}
        </div>
      ) : (
        <>
          <AreaField
            label="People"
            hint={
              count === 0
                ? 'One id a line, at most 10,000 at once.'
                : `${count.toLocaleString('en')} ${count === 1 ? 'id' : 'ids'}. Unknown ids are left out.`
            }
            error={error}
            className="code"
            rows={6}
            spellCheck={false}
            value={list.text}
            onChange={(entered) => onChange({ ...list, text: entered })}
          />
          <div className="row wrap">
            <Select
              label="What the ids are"
              isSmall
              value={list.kind}
              options={KINDS}
              onChange={(kind) => onChange({ ...list, kind })}
            />
            <span className="soft small">or</span>
            <label className={`${buttonClass({ isSmall: true })} file-field`} htmlFor={id}>
              <FileUp size={14} aria-hidden /> Choose a CSV file
              <input
                id={id}
                type="file"
                accept=".csv,.txt,text/csv,text/plain"
                aria-label="Choose a CSV file"
                onChange={(event) => {
                  void choose(event.target.files?.[0])
                  event.target.value = ''
                }}
              />
            </label>
          </div>
          {fileProblem && (
            <p className="error-text" role="alert">
              {fileProblem}
            </p>
          )}
          <p className="soft small">
            A file has one distinct id a line, or a column <code>distinct_id</code> or <code>person_id</code>.
          </p>
        </>
      )}
    </div>
  )
}
