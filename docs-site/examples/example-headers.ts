/** Which headers an operation's examples send, without that of the body's type, written as a language or format needs. */
import type { Operation } from '../../contract/operation.ts'
import { consentVariable, type VariableName } from './example-variables.ts'
import { PSU, sendsIdempotencyKey } from './request-example.ts'

/** How values are written. */
export type HeaderWriting = {
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
