/** Performs a call: token, attempts, retries, and the reading of the response. */
import { type AccessTokens, accessTokens, readToken, type UsableToken } from './access-token.ts'
import type { Call } from './call.ts'
import { type Connection, requireRetries } from './client-settings.ts'
import { HavnError, HavnResponseError } from './errors/havn-error.ts'
import { readHavnError } from './errors/read-error.ts'
import { parseJson } from './json.ts'
import { type NamedOperation, tokenOperation } from './operation-entry.ts'
import { prepareRequest } from './request.ts'
import { isOfToken, retryDelay, saysNothingOfRequest } from './retry-policy.ts'
import type { Runtime } from './runtime.ts'
import { type Answer, type PreparedCall, sendAttempt } from './send-attempt.ts'

/** Performs calls of one client. */
export type Caller = {
  /** Resolves to the parsed response, or to the stream of bytes if `accept` asks for another format. */
  perform(entry: NamedOperation, call: Call): Promise<unknown>
  /** Resolves to the response as a stream of bytes. */
  stream(entry: NamedOperation, call: Call): Promise<ReadableStream<Uint8Array>>
}

type Session = { readonly connection: Connection; readonly runtime: Runtime; readonly tokens: AccessTokens }

const ACCEPTED = 202
const UNAUTHORIZED = 401

export function openCaller(connection: Connection, runtime: Runtime): Caller {
  const tokens = accessTokens(() => requestAccessToken(session), runtime.elapsedMilliseconds)
  const session: Session = { connection, runtime, tokens }
  return {
    async perform(entry, call) {
      const prepared = prepare(connection, entry, call, call.accept !== undefined)
      const answer = await answerOf(session, entry, prepared)
      return answer.stream ?? readValue(entry, prepared, answer)
    },
    async stream(entry, call) {
      const { stream, text } = await answerOf(session, entry, prepare(connection, entry, call, true))
      return stream ?? new Blob([text]).stream()
    },
  }
}

/** All attempts of a call carry the same content and the same idempotency key, which its error names. */
function prepare(connection: Connection, entry: NamedOperation, call: Call, streamed: boolean): PreparedCall {
  const keyed = entry.idempotent ? { ...call, idempotencyKey: call.idempotencyKey ?? crypto.randomUUID() } : call
  return { ...keyed, request: prepareRequest(entry, keyed, connection), streamed }
}

/** Repeats attempts while that is safe and may help. */
async function answerOf(session: Session, entry: NamedOperation, call: PreparedCall): Promise<Answer> {
  const { connection, runtime } = session
  const maxRetries = call.maxRetries === undefined ? connection.maxRetries : requireRetries(call.maxRetries)
  let failure: unknown
  for (let attempt = 1; ; attempt += 1) {
    const begunAt = runtime.elapsedMilliseconds()
    const outcome = await attemptOf(session, entry, call).catch((error: unknown) => ({ error }))
    const isFailed = 'error' in outcome
    const delay = isFailed
      ? retryDelay({ entry, error: outcome.error, attempt, maxRetries }, runtime.random)
      : undefined
    report(session, entry, { attempt, begunAt, outcome, delay })
    if (!isFailed) {
      return outcome
    }
    // The request is as the attempt before has left it, whose response may have been lost.
    const isAsBefore = saysNothingOfRequest(entry, outcome.error) && !saysNothingOfRequest(entry, failure)
    failure = failure !== undefined && isAsBefore ? failure : outcome.error
    if (delay === undefined) {
      throw failure
    }
    await runtime.wait(delay, call.signal)
  }
}

/** One attempt. A token that the service rejects is renewed once. */
async function attemptOf(session: Session, entry: NamedOperation, call: PreparedCall): Promise<Answer> {
  const { connection, tokens } = session
  call.signal?.throwIfAborted()
  const token = entry.withToken ? await tokenFor(tokens, call.signal) : undefined
  let answer = await sendAttempt(connection, entry, call, token)
  if (answer.status === UNAUTHORIZED && token !== undefined) {
    tokens.discard(token)
    answer = await sendAttempt(connection, entry, call, await tokenFor(tokens, call.signal))
  }
  if (answer.status !== entry.status && !(answer.status === ACCEPTED && entry.mayContinue)) {
    throw readHavnError(entry, { ...answer, idempotencyKey: call.idempotencyKey })
  }
  return answer
}

/** Parses a success; something else that answers with 200 is named as the likely mistake. */
function readValue(entry: NamedOperation, { idempotencyKey }: Call, { status, headers, text }: Answer): unknown {
  if (!entry.hasContent) {
    return undefined
  }
  const value = parseJson(text)
  if (value === undefined) {
    throw new HavnResponseError(
      `The response of ${entry.id} is not JSON; is ${entry.server}Url the URL of the service?`,
      {
        operation: entry.id,
        code: 'MalformedResponse',
        status,
        svcRequestId: headers.get('svc-request-id') ?? undefined,
        idempotencyKey,
      },
    )
  }
  return value
}

type Attempted = {
  readonly attempt: number
  readonly begunAt: number
  readonly outcome: Answer | { readonly error: unknown }
  readonly delay: number | undefined
}

function report({ connection, runtime }: Session, entry: NamedOperation, attempted: Attempted): void {
  const { attempt, begunAt, outcome, delay } = attempted
  const failure = 'error' in outcome ? outcome.error : undefined
  const failed = failure instanceof HavnError ? failure : undefined
  const headers = 'error' in outcome ? undefined : outcome.headers
  if (isOfToken(entry, failure)) {
    // Reported as an attempt of the token request.
    return
  }
  try {
    connection.onAttempt({
      operation: entry.id,
      attempt,
      status: 'error' in outcome ? failed?.status : outcome.status,
      svcRequestId: headers?.get('svc-request-id') ?? failed?.svcRequestId,
      milliseconds: runtime.elapsedMilliseconds() - begunAt,
      retryInMilliseconds: delay,
      warnings: headers?.get('havn-warnings') ?? undefined,
    })
  } catch {
    // The program would lose the response of an order that exists, and order it again.
  }
}

async function requestAccessToken(session: Session): Promise<UsableToken> {
  const { scope, clientId, clientSecret } = session.connection
  const body = { grant_type: 'client_credentials', scope, client_id: clientId, client_secret: clientSecret }
  const call = prepare(session.connection, tokenOperation, { body }, false)
  return readToken(parseJson((await answerOf(session, tokenOperation, call)).text))
}

/** Calls share the token request: an aborted call does not abort it for the rest. */
async function tokenFor(tokens: AccessTokens, signal: AbortSignal | undefined): Promise<string> {
  const token = tokens.get()
  if (signal === undefined) {
    return token
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    token.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
