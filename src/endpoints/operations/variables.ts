import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { findVariable, listVariables } from '../variables/read'
import { CreateVariableBody, UpdateVariableBody, VariablePath, VariableRecord } from '../variables/schema'
import { createVariable, deleteVariable, updateVariable } from '../variables/write'

const ALL = '/api/projects/:project_id/insight_variables/'
const ONE = '/api/projects/:project_id/insight_variables/:id/'

export const listVariablesOperation = operation({
  id: 'insight_variables_list',
  method: 'get',
  path: ALL,
  summary: 'List the variables that queries of a project share',
  description: 'By code name.',
  scope: 'insight_variable:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(VariableRecord) },
  handle: (context) => listVariables(context, context.query),
})

export const createVariableOperation = operation({
  id: 'insight_variables_create',
  method: 'post',
  path: ALL,
  summary: 'Make a variable',
  description: 'A query reads it as `{variables.code_name}`; the code name is made of the name.',
  scope: 'insight_variable:write',
  body: CreateVariableBody,
  responses: { 201: VariableRecord, 400: ErrorBody },
  handle: (context) => createVariable(context, context.body),
})

export const retrieveVariableOperation = operation({
  id: 'insight_variables_retrieve',
  method: 'get',
  path: ONE,
  summary: 'Read a variable',
  scope: 'insight_variable:read',
  params: VariablePath,
  responses: { 200: VariableRecord, 404: ErrorBody },
  handle: (context) => findVariable(context, context.params.id),
})

export const updateVariableOperation = operation({
  id: 'insight_variables_partial_update',
  method: 'patch',
  path: ONE,
  summary: 'Change a variable',
  description: 'Its code name stays. Queries that hold a value of their own go on using that.',
  scope: 'insight_variable:write',
  params: VariablePath,
  body: UpdateVariableBody,
  responses: { 200: VariableRecord, 400: ErrorBody, 404: ErrorBody },
  handle: (context) => updateVariable(context, context.params.id, context.body),
})

export const deleteVariableOperation = operation({
  id: 'insight_variables_destroy',
  method: 'delete',
  path: ONE,
  summary: 'Delete a variable',
  description: 'Queries that read it go on with the value that they hold.',
  scope: 'insight_variable:write',
  params: VariablePath,
  responses: { 204: 'empty', 404: ErrorBody },
  handle: (context) => deleteVariable(context, context.params.id),
})
