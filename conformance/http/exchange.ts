/** Describes a request with its response, as recorded for reports. */
import type { Operation } from '../../contract/operation.ts'

/** A request, and the response that it got. */
export type Answer = {
  /** The operation that was called; undefined for a request outside the documented operations. */
  readonly operation: Operation | undefined
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown
}

/** For messages: `POST /api/v2/payments returned 500`. */
export function describeAnswer({ request, status }: Answer): string {
  const { pathname, search } = new URL(request.url)
  return `${request.method} ${pathname}${search} returned ${status}`
}
