import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { findVariable, listVariables } from '../variables/read-variables'
import {
  CreateVariableBody,
  UpdateVariableBody,
  variableExample,
  VariablePath,
  VariableRecord,
} from '../variables/variable-record'
import { createVariable, deleteVariable, updateVariable } from '../variables/write-variables'

const ALL = '/api/projects/:project_id/insight_variables/'
const ONE = '/api/projects/:project_id/insight_variables/:id/'

export const listVariablesOperation = operation({
  id: 'insight_variables_list',
  method: 'get',
  path: ALL,
  summary: 'List the variables of a project',
  description: 'Ordered by code name.',
  scope: 'insight_variable:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(VariableRecord) },
  handle: (context) => listVariables(context, context.query),
})

const idParameter = () => ({ id: { description: 'Id of the variable.', example: variableExample().id } })

export const createVariableOperation = operation({
  id: 'insight_variables_create',
  method: 'post',
  path: ALL,
  summary: 'Create a variable',
  description: 'A query reads it as `{variables.code_name}`; the code name is derived from the name.',
  scope: 'insight_variable:write',
  body: CreateVariableBody,
  responses: { 201: VariableRecord },
  handle: (context) => createVariable(context, context.body),
})

export const createVariableDocs = (): OperationDocs => ({ sample: { into: { name: 'Plan $N' } } })

export const retrieveVariableOperation = operation({
  id: 'insight_variables_retrieve',
  method: 'get',
  path: ONE,
  summary: 'Read a variable',
  scope: 'insight_variable:read',
  params: VariablePath,
  responses: { 200: VariableRecord },
  handle: (context) => findVariable(context, context.params.id),
})

export const retrieveVariableDocs = (): OperationDocs => ({ parameters: idParameter() })

export const updateVariableOperation = operation({
  id: 'insight_variables_partial_update',
  method: 'patch',
  path: ONE,
  summary: 'Update a variable',
  description: 'Its code name does not change. Queries keep the values they store.',
  scope: 'insight_variable:write',
  params: VariablePath,
  body: UpdateVariableBody,
  responses: { 200: VariableRecord },
  handle: (context) => updateVariable(context, context.params.id, context.body),
})

export const updateVariableDocs = (): OperationDocs => ({
  parameters: idParameter(),
  response: { example: { default_value: '$pageleave' } },
})

export const deleteVariableOperation = operation({
  id: 'insight_variables_destroy',
  method: 'delete',
  path: ONE,
  summary: 'Delete a variable',
  description: 'Queries that read it keep the values they store.',
  scope: 'insight_variable:write',
  params: VariablePath,
  responses: { 204: 'empty' },
  handle: (context) => deleteVariable(context, context.params.id),
})

export const deleteVariableDocs = (): OperationDocs => ({ parameters: idParameter() })
