// Renders an editor for JSON, which is loaded when it is first shown.
import type { Diagnostic, EditorProps } from './code-editor'
import { TextArea } from '../fields/field'
import { lazyComponent } from '../lazy-component'

export const JsonEditor = lazyComponent<EditorProps & { problems?: readonly Diagnostic[] | undefined }>(
  () => import('./json-code-editor'),
  ({ value, label, autoFocus }) => (
    // The field is read-only while the editor loads, because the focus would be lost.
    <TextArea className="code" value={value} aria-label={label} readOnly aria-busy autoFocus={autoFocus} />
  ),
)
