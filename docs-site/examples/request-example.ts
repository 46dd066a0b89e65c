/** Reads the examples of an operation: complete requests with their headers and responses. */
import { examplesByOperation } from '../../contract/examples/examples-by-operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { consentVariable, type VariableName } from './example-variables.ts'

export type RequestExample = {
  readonly summary: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly answer: unknown
  /** Its position among the examples of the operation. */
  readonly index: number
}

/** The user's session in the examples; the IP address is reserved for documentation (RFC 5737). */
export const PSU = { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' }

export function examplesOf({ id }: Pick<Operation, 'id'>): readonly RequestExample[] {
  const found = Object.entries(examplesByOperation).find(([operationId]) => operationId === id)?.[1] ?? []
  return found.map((example: object, index) => ({
    summary: String(memberOf(example, 'summary')),
    params: Object(memberOf(example, 'params')),
    query: Object(memberOf(example, 'query')),
    body: memberOf(example, 'body'),
    answer: memberOf(example, 'answer'),
    index,
  }))
}

/** Whether its examples send an `Idempotency-Key`: orders should always have one. */
export function sendsIdempotencyKey({ id, idempotent }: Pick<Operation, 'id' | 'idempotent'>): boolean {
  return idempotent && id.startsWith('initiate')
}

function memberOf(example: object, name: string): unknown {
  return Object.entries(example).find(([found]) => found === name)?.[1]
}

/** How values are written. */
type HeaderWriting = {
  /** The value of `Authorization`, with the access token. */
  readonly bearer: string
  /** A new id for each request. */
  readonly newId: string
  text(value: string): string
  variable(name: VariableName): string
}

/** The headers with their written values, in the order in which they are shown. */
export function exampleHeaders(
  operation: Operation,
  { bearer, newId, text, variable }: HeaderWriting,
): readonly (readonly [name: string, value: string])[] {
  const { admits, psu } = operation
  const { ipAddress, userAgent } = PSU
  return [
    ...(admits === 'anyone' ? [] : [['Authorization', bearer] as const]),
    ...(admits === 'consent' ? [['consent-id', variable(consentVariable(operation))] as const] : []),
    ...(psu === 'none'
      ? []
      : [['PSU-IP-Address', text(ipAddress)] as const, ['PSU-User-Agent', text(userAgent)] as const]),
    ...(sendsIdempotencyKey(operation) ? [['Idempotency-Key', newId] as const] : []),
  ]
}
