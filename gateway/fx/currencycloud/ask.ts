/** Sends one request to the provider and gives back an answer of the expected shape, or a refusal. */

import type { ProviderTools } from '../provider/provider-tools.ts'
import type { CallLimit, Urgency } from '../providers/call-rate-limiter.ts'
import { type Effect, refusalOf, refusalOfSilence, refusalOfUnreadable } from '../providers/currencycloud/errors.ts'
import { type Fields, formText } from '../providers/currencycloud/form-encoding.ts'
import { type Reader, readLogin } from '../providers/currencycloud/wire.ts'
import { FxRefusal } from '../providers/fx-provider-error.ts'
import { type ProviderResponse, ProviderUnreachable } from '../providers/provider-transport.ts'
import { detailOf } from './repeating.ts'
import { openSession, type Session } from './session.ts'

/** How the provider is spoken to. */
export type Access = {
  /** Where its interface begins, in front of `/v2`. */
  readonly url: string
  readonly loginId: string
  readonly apiKey: string
  /** The contact of the sub-account on whose behalf everything is done; null acts for the house account. */
  readonly onBehalfOf: string | null
  readonly callsPerMinute: number
  readonly rateCallsPerMinute: number
}

/** What to ask; `path` begins behind `/v2`. */
export type Question = {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly fields?: Fields
  readonly effect: Effect
  readonly urgency: Urgency
  /** Rates have a limit of their own. */
  readonly isRate?: boolean
  /** Some addresses know no sub-accounts, and refuse to be told of one. */
  readonly houseOnly?: boolean
}

/** Asks and parses. */
export type Ask = <Shape>(question: Question, read: Reader<Shape>) => Promise<Shape>

/** Logins per minute (API). */
const LOGINS: CallLimit = { name: 'logins', perMinute: 60 }
/** What URLs take for another folder (RFC 3986, 5.2.4). */
const ELSEWHERE: ReadonlySet<string> = new Set(['', '.', '..'])
const UNAUTHORIZED = 401
const TOO_MANY = 429

/** Opens a way to ask: one login for all questions, and both sides' limits kept. */
export function openAsk(tools: ProviderTools, access: Access): Ask {
  const session = openSession(() => logIn(tools, access))
  return async (question, read) => {
    const limits = limitsOf(access, question)
    await tools.budget.take(limits, question.urgency)
    const response = await deliver(tools, access, session, question)
    if (response.status < 200 || response.status > 299) {
      throw await noted(tools, limits, refusalOf(question.effect, response))
    }
    const answer = read(response.body)
    if (answer === undefined) {
      throw refusalOfUnreadable(question.effect, response.status)
    }
    return answer
  }
}

/** Ids come from the provider and go into paths; one that would lead to another place than its own is none. */
export function path(...segments: readonly string[]): string {
  if (segments.some((segment) => ELSEWHERE.has(segment))) {
    throw new FxRefusal('unknown-resource', 'The provider has nothing under an id that is no name')
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

/** A call that was turned away for its token was not made: it is made once more, with another. */
async function deliver(
  tools: ProviderTools,
  access: Access,
  session: Session,
  question: Question,
): Promise<ProviderResponse> {
  const token = await session.token()
  const first = await send(tools, access, question, token)
  return first.status === UNAUTHORIZED ? await send(tools, access, question, await session.after(token)) : first
}

async function send(
  { line }: ProviderTools,
  { url, onBehalfOf }: Access,
  { operation, method, path: pathBehind, fields = {}, effect, houseOnly = false }: Question,
  token: string | null,
): Promise<ProviderResponse> {
  const text = formText({ ...fields, on_behalf_of: houseOnly ? null : onBehalfOf })
  const address = `${url}/v2${pathBehind}`
  const headers = { accept: 'application/json', ...(token === null ? {} : { 'x-auth-token': token }) }
  const request =
    method === 'GET'
      ? { operation, method, url: text === '' ? address : `${address}?${text}`, headers }
      : {
          operation,
          method,
          url: address,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: text,
        }
  try {
    return await line.send(request)
  } catch (error) {
    throw error instanceof ProviderUnreachable ? refusalOfSilence(effect, error) : error
  }
}

async function logIn(tools: ProviderTools, access: Access): Promise<string> {
  const question = {
    operation: 'logIn',
    method: 'POST',
    path: '/authenticate/api',
    fields: { login_id: access.loginId, api_key: access.apiKey },
    effect: 'reads',
    urgency: 'urgent',
    houseOnly: true,
  } as const satisfies Question
  await tools.budget.take([LOGINS], question.urgency)
  const response = await send(tools, access, question, null)
  if (response.status < 200 || response.status > 299) {
    throw await noted(tools, [LOGINS], refusalOfLogin(response))
  }
  const login = readLogin(response.body)
  if (login === undefined) {
    throw refusalOfUnreadable('reads', response.status)
  }
  return login.auth_token
}

/** Credentials of a wrong form are a 400 there; the call that wanted them did not leave. */
function refusalOfLogin(response: ProviderResponse): FxRefusal {
  const refusal = refusalOf('reads', response)
  return refusal.kind === 'invalid' ? new FxRefusal('login-refused', refusal.message, detailOf(refusal)) : refusal
}

/** Rates count among all calls, and have a limit of their own besides. */
function limitsOf({ callsPerMinute, rateCallsPerMinute }: Access, { isRate = false }: Question): readonly CallLimit[] {
  const all = { name: 'calls', perMinute: callsPerMinute }
  return isRate ? [all, { name: 'rates', perMinute: rateCallsPerMinute }] : [all]
}

async function noted(tools: ProviderTools, limits: readonly CallLimit[], refusal: FxRefusal): Promise<FxRefusal> {
  if (refusal.status === TOO_MANY && refusal.retryAfterSeconds !== undefined) {
    await tools.budget.pause(limits.slice(-1), refusal.retryAfterSeconds)
  }
  return refusal
}
