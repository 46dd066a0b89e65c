/** Reduces the body of an error to its documented fields: the form of a request that does not ask for details. */
import type { Operation } from '../operation.ts'
import { CODED_ERRORS, isCodedErrorCode } from './coded-errors.ts'
import { documentedFieldsOf, ErrorResponse, errorBodyOf, ValidationErrors } from './error-bodies.ts'

type Fields = Readonly<Record<string, unknown>>

/** Without an operation, as at an unknown path, and for a status that it does not list, the body is the envelope. */
export function documentedForm(operation: Operation | undefined, status: number, body: object): object {
  const listed = operation === undefined ? undefined : errorBodyOf(operation, status)
  const schema = listed ?? (Array.isArray(body) ? ValidationErrors : ErrorResponse)
  return Array.isArray(body)
    ? body.map((element: object) => documentedPartOf(Object(schema).items, element))
    : withoutMessage(documentedPartOf(schema, body))
}

function documentedPartOf(schema: object, body: object): Fields {
  const documented = documentedFieldsOf(schema)
  return Object.fromEntries(Object.entries(body).filter(([name]) => documented.includes(name)))
}

/** One code is documented without a message. */
function withoutMessage(body: Fields): Fields {
  const { failure } = body
  const isCoded = typeof failure === 'string' && isCodedErrorCode(failure)
  return isCoded && !CODED_ERRORS[failure].hasMessage
    ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'message'))
    : body
}
