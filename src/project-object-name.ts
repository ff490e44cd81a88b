/** Returns the name of a project's object in `PROJECTS`. */
export const projectObjectName = (projectId: number): string => `project:${projectId}`
