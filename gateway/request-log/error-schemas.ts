/** Describes the body of an error to the request log: by its operation and status, or in the forms that all operations have. */
import { Type } from 'typebox'
import {
  ErrorResponse,
  errorBodyOf,
  ParsingError,
  UnauthenticatedResponse,
  ValidationErrors,
} from '../../contract/errors/error-bodies.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Schemas, schemasOf } from './admitted-values.ts'

/** Text is ours: that of an error without an envelope. */
const FORMS = [ErrorResponse, ParsingError, UnauthenticatedResponse, ValidationErrors, Type.String()]
const found = new Map<string, Schemas>()

export function errorSchemas(operation: Operation, status: number): Schemas {
  const key = `${operation.id} ${status}`
  const schemas = found.get(key) ?? [errorBodyOf(operation, status), ...FORMS].flatMap(schemasOf)
  found.set(key, schemas)
  return schemas
}
