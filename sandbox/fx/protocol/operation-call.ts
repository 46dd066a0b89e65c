/** The types of a call to an operation of the provider's API, and of its handler. */
import type { Context } from '../context.ts'

/** Parameters of path, query and form; the API has no two with the same name. */
export type Parameters = Readonly<Record<string, string>>

export type OperationCall = {
  /** In a transaction. */
  readonly context: Context
  /** Business time at which the call arrived. */
  readonly at: Temporal.Instant
  readonly parameters: Parameters
  /** Repeated parameters such as `payment_types[]`, without the brackets. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

export type OperationHandler = (call: OperationCall) => Promise<object> | object

/** One operation of the API: its handler, and the code that its errors carry. */
export type Operation = {
  readonly method: 'GET' | 'POST'
  /** As in the API reference, e.g. `/conversions/{id}`. */
  readonly path: string
  readonly verb: OperationHandler
  readonly errorCode: string
  /** Whether it may be called without a session. */
  readonly open?: true
}
