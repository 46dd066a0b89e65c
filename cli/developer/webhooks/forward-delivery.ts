/** Sends a delivery on to an address on this machine, with the same headers and bytes. */

/** What became of it. */
export type Forwarded =
  | { readonly status: number; readonly milliseconds: number }
  | { readonly error: string; readonly milliseconds: number }

/** As long as deliveries of the gateway wait. */
const ANSWER_MILLISECONDS_MAX = 10_000
/** They belong to the connection that the delivery came on. */
const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']

/** Never throws: an endpoint that is not there is something to report. */
export async function forwardDelivery(
  target: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Forwarded> {
  const begun = performance.now()
  const elapsed = () => Math.round(performance.now() - begun)
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS_MAX),
    })
    await response.body?.cancel()
    return { status: response.status, milliseconds: elapsed() }
  } catch (error) {
    const { cause, message } = Object(error)
    return { error: String(Object(cause).code ?? message), milliseconds: elapsed() }
  }
}
