import { DurableObject } from 'cloudflare:workers'

export class ProjectObject extends DurableObject<Env> {}
