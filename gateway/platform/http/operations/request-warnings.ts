/** Reports unknown fields of a request in headers of its response, and reads whether they are to be rejected. */
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { preferencesIn } from '../preferences.ts'
import { findUnknownFields, UNKNOWN_FIELDS_MAX, type UnknownField } from '../validation/unknown-fields.ts'
import { type CompiledChecks, membersOf } from './validate-request.ts'

/** What a request has too much, and whether it is rejected for it. */
export type RequestWarnings = {
  readonly unknownFields: readonly UnknownField[]
  /** `Prefer: handling=strict` (RFC 7240, 4.4), where the operation has fields or parameters to be strict about. */
  readonly isStrict: boolean
}

/** The preference for the rejection of unknown fields. */
export const STRICT_HANDLING = 'handling=strict'

/** Also of requests that are rejected for another reason. */
export async function findWarnings(
  operation: Operation,
  fields: CompiledChecks['fields'],
  request: FastifyRequest,
): Promise<RequestWarnings> {
  const { query, body } = request
  const isForm = body instanceof URLSearchParams
  const hasBody = operation.body !== undefined && isForm === (operation.bodyType === 'form')
  const inQuery = await findUnknownFields(fields.query, query, 'query')
  const inBody = hasBody ? await findUnknownFields(fields.body, isForm ? membersOf(body) : body, 'body') : []
  const takesFields = operation.body !== undefined || operation.query !== undefined
  return {
    unknownFields: inQuery.length === 0 ? inBody : [...inQuery, ...inBody].slice(0, UNKNOWN_FIELDS_MAX),
    isStrict: takesFields && preferencesIn(request.headers['prefer']).get('handling') === 'strict',
  }
}

/** `Havn-Warnings` is a list of tokens with parameters (RFC 9651): `UnknownField;path=".due_date";nearest="dueDate"`. */
export function headersOfWarnings({ unknownFields, isStrict }: RequestWarnings): Readonly<Record<string, string>> {
  return {
    ...(unknownFields.length === 0 ? {} : { 'havn-warnings': unknownFields.map(warningText).join(', ') }),
    ...(isStrict ? { 'preference-applied': STRICT_HANDLING } : {}),
  }
}

/** Paths have no character that a quoted string would have to escape. */
function warningText({ in: place, path, nearest }: UnknownField): string {
  const where = place === 'query' ? ';in="query"' : ''
  return `UnknownField${where};path="${path}"${nearest === null ? '' : `;nearest="${nearest}"`}`
}
