// What runs an import: loaded when the first one begins.
export { exportLines } from '../../import/file/export'
export { fileSource } from '../../import/file/source'
export { createClient } from '../../import/client'
export { readList } from '../../import/posthog/lists'
export { posthogSource, projectPath, sourceId } from '../../import/posthog/source'
export { runImport } from '../../import/run'
export { unleashSource } from '../../import/unleash/source'
