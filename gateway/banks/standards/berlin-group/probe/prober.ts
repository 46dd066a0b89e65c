/** Sends the calls of a probe to a bank and records each answer. */
import { aborted } from 'node:util'
import { newBankRequestId } from '../../../../platform/ids.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankError, BankUnreachable } from '../../../connector/bank-error.ts'
import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankResponse, ConnectorDependencies } from '../../../connector/connector-dependencies.ts'
import type { ProbeCall, ProbeOptions } from '../../../connector/probe-report.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import { type BankClient, createBankClient } from '../transport/bank-client.ts'
import { parseBankErrors } from '../transport/bank-errors.ts'
import type { BankErrorDetail } from '../transport/order-errors.ts'
import { type BerlinGroupRequest, sendRequest } from '../transport/send-request.ts'
import { type CreatedResource, type CreatedResources, followCreatedResources, resourceOf } from './created-resources.ts'

export type ProbeAnswer = BankResponse & {
  readonly method: BerlinGroupRequest['method']
  readonly errors: readonly BankErrorDetail[]
  /** What the request created, if anything. */
  readonly created: CreatedResource | undefined
}

export type ProbeQuestion = Pick<BerlinGroupRequest, 'method' | 'path' | 'headers' | 'body'> & {
  readonly withoutUser?: boolean
  /** Whether it deletes what the probe created, also after an interruption. */
  readonly isDeletion?: boolean
}

export type Prober = {
  readonly bank: Bank
  readonly dialect: Dialect
  readonly options: ProbeOptions
  readonly today: Temporal.PlainDate
  readonly line: BankClient
  readonly calls: readonly ProbeCall[]
  /** The answers to all calls that were answered. */
  readonly answers: readonly ProbeAnswer[]
  readonly created: CreatedResources
  /** Whether requests are signed, unless the dialect says otherwise. */
  readonly canSign: boolean
  /** Throws `BankError` without an answer, and the reason of an interruption. */
  ask(question: ProbeQuestion): Promise<ProbeAnswer>
  /** The same probe with another address or profile from now on. */
  at(bank: Bank): Prober
}

/** There is no user: a documentation address (RFC 5737), which no bank attributes to a customer. */
const SESSION = { ipAddress: '192.0.2.1', userAgent: 'havn bank probe', headers: {} }
/** From here on the bank failed, and may have created something nevertheless. */
const SERVER_ERROR = 500

/** What all settings of one probe share. */
type Shared = Pick<Prober, 'options' | 'line' | 'created'> & {
  readonly tools: ConnectorDependencies
  readonly calls: ProbeCall[]
  readonly answers: ProbeAnswer[]
}

/** Creates it without a call. */
export function openProber(tools: ConnectorDependencies, bank: Bank, options: ProbeOptions): Prober {
  const line = createBankClient(tools)
  return proberAt(bank, { tools, options, line, calls: [], answers: [], created: followCreatedResources() })
}

function proberAt(bank: Bank, shared: Shared): Prober {
  const { tools, line } = shared
  return {
    ...shared,
    bank,
    dialect: dialectOf(bank.profile),
    canSign: URL.parse(bank.address)?.protocol === 'https:' && tools.identity(bank).qseal !== null,
    today: line.now().toZonedDateTimeISO(bank.profile.timeZone).toPlainDate(),
    ask: (question) => ask(shared, bank, question),
    at: (changed) => proberAt(changed, shared),
  }
}

/** The same probe with other settings from now on. */
export function withDialect({ bank, dialect, at }: Prober, changes: Partial<Dialect>): Prober {
  return at({ ...bank, profile: { ...bank.profile, dialect: { ...dialect, ...changes } } })
}

async function ask(shared: Shared, bank: Bank, question: ProbeQuestion): Promise<ProbeAnswer> {
  const { calls, answers, created, options, line } = shared
  const call = `${question.method} ${question.path}`
  const requestId = newBankRequestId()
  const resource = resourceOf(question.method, question.path, requestId)
  const isEmpty = Object.keys(Object(question.body)).length === 0
  const signal = question.isDeletion === true ? options.stop?.deletion : options.stop?.probing
  signal?.throwIfAborted()
  try {
    const answering = answerTo({ bank, options, line }, question, { requestId, signal })
    // An interruption does not wait for the answer.
    const response = await Promise.race(
      signal === undefined ? [answering] : [answering, interruption(signal, answering)],
    )
    const answer = { ...response, created: recordCreation(created, resource, { ...response, isEmpty }) }
    calls.push({ call, answer: describeAnswer(answer) })
    answers.push(answer)
    return answer
  } catch (error) {
    if (resource !== undefined && !isEmpty && isUncertain(error)) {
      created.record(resource, `unknown: ${errorText(error)}`)
    }
    calls.push({ call, answer: errorText(error) })
    throw error
  }
}

/** An empty order that fails has created nothing, whatever a server error leaves open. */
function recordCreation(
  created: CreatedResources,
  resource: CreatedResource | undefined,
  answer: Omit<ProbeAnswer, 'created'> & { readonly isEmpty: boolean },
): CreatedResource | undefined {
  if (resource === undefined || (answer.status >= 300 && (answer.status < SERVER_ERROR || answer.isEmpty))) {
    return undefined
  }
  if (answer.status >= SERVER_ERROR) {
    created.record(resource, `unknown: ${describeAnswer(answer)}`)
    return undefined
  }
  return created.recordCreation(resource, answer)
}

/** Whether the bank may have received a request to which no answer came. */
function isUncertain(error: unknown): boolean {
  return !(error instanceof BankError && error.cause instanceof BankUnreachable && !error.cause.sent)
}

/** Rejects with the reason of an interruption while something is pending. */
async function interruption(signal: AbortSignal, pending: Promise<unknown>): Promise<never> {
  await aborted(signal, pending)
  throw signal.reason
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The status, and the bank's text of the named error or of the first one. */
export function describeAnswer(
  { status, errors }: Pick<ProbeAnswer, 'status' | 'errors'>,
  decisive?: BankErrorDetail,
): string {
  const first = decisive ?? errors[0]
  const others = errors.slice(1)
  const place = first?.path ? ` at ${first.path}` : ''
  const text = first?.text ? `: ${redactAccountNumbers(first.text)}` : ''
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return first === undefined ? String(status) : `${status} ${first.code}${place}${text}${more}`
}

/** Headers of every creation: explicit authorisation is preferred, and the return URLs are never used. */
export function creationHeaders({ home }: BankClient): Record<string, string> {
  return {
    'tpp-explicit-authorisation-preferred': 'true',
    'tpp-redirect-preferred': 'true',
    'tpp-redirect-uri': home.success,
    'tpp-nok-redirect-uri': home.failure,
  }
}

/**
 * Whether an answer says something about the request. These do not: a token or another certificate is wanted (401), the
 * bank is too slow (408), limits requests (429), or fails (5xx).
 */
export function isConclusive({ status }: Pick<ProbeAnswer, 'status'>): boolean {
  return status < SERVER_ERROR && ![401, 408, 429].includes(status)
}

/** Whether two answers are equal. */
export function isSameAnswer(one: ProbeAnswer, other: ProbeAnswer): boolean {
  const codes = ({ errors }: ProbeAnswer) => errors.map(({ code }) => code).join(' ')
  return one.status === other.status && codes(one) === codes(other)
}

/** No user id is made up where none was given: the bank might notify that user. */
function identityHeaders({ userId, organisationNumber }: ProbeOptions): Record<string, string> {
  return {
    ...(userId === null ? {} : { 'psu-id': userId }),
    ...(organisationNumber === null ? {} : { 'psu-corporate-id': organisationNumber }),
  }
}

async function answerTo(
  { bank, options, line }: Pick<Prober, 'bank' | 'options' | 'line'>,
  { withoutUser = false, isDeletion, headers, ...question }: ProbeQuestion,
  { requestId, signal }: { readonly requestId: string; readonly signal: AbortSignal | undefined },
): Promise<Omit<ProbeAnswer, 'created'>> {
  const caller: BankCaller = {
    bank,
    userId: null,
    organisationNumber: '',
    bankConsentId: null,
    accessToken: null,
    psu: SESSION,
  }
  const response = await sendRequest(line.fetch, caller, {
    ...question,
    operation: 'probe',
    purpose: 'consent',
    requestId,
    ...(signal === undefined ? {} : { signal }),
    headers: { ...(withoutUser ? {} : identityHeaders(options)), ...headers },
  })
  const errors = response.status < 400 ? [] : parseBankErrors(response.body)
  return { ...response, method: question.method, errors }
}
