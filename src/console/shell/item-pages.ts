// Defines the pages about one thing that a project has; that of a flag is beside the lists, which come with the frame.
import { linkOptions } from '@tanstack/react-router'

export const toQuery = (projectId: number, name: string) =>
  linkOptions({ to: '/project/$projectId/endpoints/$name', params: { projectId, name }, search: {} })

export const toCohort = (projectId: number, cohortId: number) =>
  linkOptions({ to: '/project/$projectId/cohorts/$cohortId', params: { projectId, cohortId }, search: {} })

export const toDashboard = (projectId: number, dashboardId: number) =>
  linkOptions({
    to: '/project/$projectId/dashboard/$dashboardId',
    params: { projectId, dashboardId },
    search: {},
  })

export const toPerson = (projectId: number, personId: string) =>
  linkOptions({ to: '/project/$projectId/persons/$personId', params: { projectId, personId }, search: {} })

export const toGroup = (projectId: number, typeIndex: number, groupKey: string) =>
  linkOptions({
    to: '/project/$projectId/groups/$typeIndex/$groupKey',
    params: { projectId, typeIndex, groupKey },
    search: {},
  })

export const toRequest = (projectId: number, requestId: string) =>
  linkOptions({ to: '/project/$projectId/change_requests/$requestId', params: { projectId, requestId } })
