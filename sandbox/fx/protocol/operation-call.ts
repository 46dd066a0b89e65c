/** What a call of the provider's interface is to the verb that serves it. */
import type { Books, ProviderContext } from '../provider-context.ts'

/** Parameters of path, query and form alike; the interface has no two of one name. */
export type Parameters = Readonly<Record<string, string>>

export type Call = {
  readonly context: ProviderContext
  readonly books: Books
  /** The session's token; empty where none is needed. */
  readonly token: string
  /** Business time when the call came. */
  readonly at: Temporal.Instant
  readonly parameters: Parameters
  /** Parameters that come several times, such as `payment_types[]`, without the brackets. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** Serves one operation; answers the body. */
export type Verb = (call: Call) => Promise<object> | object

/** One operation of the interface: the verb behind it, and the code that its refusals carry. */
export type Operation = {
  readonly method: 'GET' | 'POST'
  /** As the interface writes it, e.g. `/conversions/{id}`. */
  readonly path: string
  readonly verb: Verb
  readonly errorCode: string
  /** Whether whoever has not logged in may call it. */
  readonly open?: true
}
