// The Worker: wiring only.
import { createApp } from './app'

export { ProjectObject } from './project/project-object'

export default createApp() satisfies ExportedHandler<Env>
