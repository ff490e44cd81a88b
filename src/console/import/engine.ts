// What exports a project: loaded when the first export begins.
export { exportLines } from '../../import/file/export'
export { posthogSource } from '../../import/posthog/source'
