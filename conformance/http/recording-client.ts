/** Sends requests, waits where the server limits their rate, and records every response. */
import { setTimeout as delay } from 'node:timers/promises'
import { DETAILED_ERRORS } from '../../contract/errors/error-bodies.ts'
import type { Operation } from '../../contract/operation.ts'
import { type OperationId, operations } from '../../contract/operations.ts'
import type { Answer, CallRequest, RawRequest, TargetOptions } from './exchange.ts'

export type RecordingClient = {
  readonly answers: readonly Answer[]
  call(id: OperationId, request: CallRequest, token: string | undefined): Promise<Answer>
  send(request: RawRequest, operation?: Operation): Promise<Answer>
}

/** The server could not be reached, or did not answer in time. */
export class Unreachable extends Error {
  constructor(url: string, cause: unknown) {
    super(`${new URL(url).origin} cannot be reached: ${reasonOf(cause)}`, { cause })
    this.name = 'Unreachable'
  }
}

export const USER_AGENT = 'havn-conform'
const ANSWER_SECONDS_MAX = 60
const RATE_LIMITED = 429
const RATE_LIMIT_WAITS_MAX = 5
const RATE_LIMIT_SECONDS_MAX = 30

/** `signal` returns the one of the moment: requests that clean up are sent after the run was aborted, too. */
export function openRecordingClient(target: TargetOptions, signal: () => AbortSignal): RecordingClient {
  const answers: Answer[] = []
  const send = async (request: RawRequest, operation?: Operation): Promise<Answer> => {
    const answer = await exchange(target, request, operation, signal())
    answers.push(answer)
    return answer
  }
  return {
    answers,
    send,
    call: async (id, request, token) => {
      const operation: Operation = operations[id]
      const raw = buildRequest(target, operation, request, token)
      let answer = await send(raw, operation)
      for (let waits = 0; answer.status === RATE_LIMITED && waits < RATE_LIMIT_WAITS_MAX; waits++) {
        const seconds = Number(answer.headers.get('retry-after') ?? 1)
        if (request.returnsRateLimit === true || !(seconds <= RATE_LIMIT_SECONDS_MAX)) {
          break
        }
        await delay(Math.max(seconds, 1) * 1_000, undefined, { signal: signal() })
        answer = await send(raw, operation)
      }
      return answer
    },
  }
}

/** The request of a call, with everything that the operation requires. */
function buildRequest(
  target: TargetOptions,
  operation: Operation,
  { params = {}, query = {}, body, text, consentId, headers = {}, method }: CallRequest,
  token: string | undefined,
): RawRequest {
  const server = { base: target.baseUrl, auth: target.authUrl, onboarding: target.onboardingUrl }[operation.server]
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(params[name] ?? ''))
  const url = new URL(`${server}${path}`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      url.searchParams.set(name, String(value))
    }
  }
  const content = text ?? contentOf(operation, body)
  const type = operation.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const given: Record<string, string | null> = {
    'user-agent': USER_AGENT,
    prefer: DETAILED_ERRORS,
    ...(token === undefined || operation.admits === 'anyone' ? {} : { authorization: `Bearer ${token}` }),
    ...(consentId === undefined ? {} : { 'consent-id': consentId }),
    ...(operation.psu === 'none' ? {} : { 'psu-ip-address': target.psuIpAddress, 'psu-user-agent': USER_AGENT }),
    ...(content === undefined ? {} : { 'content-type': type }),
    ...headers,
  }
  return {
    method: method ?? operation.method,
    url: url.href,
    headers: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    ...(content === undefined ? {} : { text: content }),
  }
}

function contentOf(operation: Operation, body: unknown): string | undefined {
  if (body === undefined) {
    return undefined
  }
  if (operation.bodyType !== 'form') {
    return JSON.stringify(body)
  }
  const fields = Object.entries(Object(body)).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(fields).toString()
}

async function exchange(
  { fetch: sendRequest = fetch }: TargetOptions,
  request: RawRequest,
  operation: Operation | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, url, headers = {}, text } = request
  const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_SECONDS_MAX * 1_000)])
  try {
    const init = {
      method,
      headers,
      redirect: 'manual' as const,
      signal: within,
      ...(text === undefined ? {} : { body: text }),
    }
    const response = await sendRequest(url, init)
    const answered = await response.text()
    return {
      operation,
      request: { method, url, headers, text: text ?? '' },
      status: response.status,
      headers: response.headers,
      text: answered,
      body: parseJson(answered),
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new Unreachable(url, error)
  }
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
