/** Defines a request of a partner as the log stores it. */

import type { UnknownField } from '../platform/http/validation/unknown-fields.ts'

/** What a request created, or asked for by its id. */
export type RequestSubject = {
  readonly type: 'payment' | 'payroll' | 'consent' | 'approval' | 'cancellation' | 'onboarding' | 'subscription'
  readonly id: string
}

/** A request with its response; bodies are masked and of limited length. */
export type LoggedRequest = {
  readonly partnerId: string
  /** The `svc-request-id`: a UUIDv7, whose time is that at which the request came. */
  readonly id: string
  readonly clientId: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** Its body and response held salaries: only users with the payroll role see it. */
  readonly isPayroll: boolean
  /** Codes of what was rejected. */
  readonly errorCodes: readonly string[]
  /** Fields that were ignored because the operation does not know them. */
  readonly unknownFields: readonly UnknownField[]
  readonly subject: RequestSubject | null
  readonly idempotencyKey: string | null
  /** The headers that say how the request was meant, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly requestBody: string | null
  readonly responseBody: string | null
}

/** Without what only the page of a request shows. */
export type ListedRequest = Omit<LoggedRequest, 'headers' | 'requestBody' | 'responseBody'> & {
  readonly partnerName: string
}

export const STATUS_CLASSES = ['2xx', '4xx', '5xx', 'errors'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

/** Which requests a search returns; what is undefined excludes nothing. */
export type RequestFilter = {
  /** Null for those of all partners. */
  readonly partnerId: string | null
  readonly payrolls: boolean
  readonly method: string | undefined
  readonly statusClass: StatusClass | undefined
  /** The path begins with it. */
  readonly path: string | undefined
  readonly errorCode: string | undefined
  /** From this id on, and before that one: ids are in the order of time. */
  readonly fromId: string | undefined
  readonly beforeId: string | undefined
}

/** When a request came, which its id says. */
export function timeOfRequest({ id }: Pick<LoggedRequest, 'id'>): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16))
}
