// Has the code that exports a project. It loads when the first export begins.
export { exportLines } from '../../import/file/export'
export { posthogSource } from '../../import/posthog/source'
