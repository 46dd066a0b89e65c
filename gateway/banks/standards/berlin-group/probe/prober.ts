/** Sends the calls of a probe to a bank and records each answer. */
import { newBankRequestId } from '../../../../platform/ids.ts'
import { BankError } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankResponse, ConnectorDependencies } from '../../../connector/connector-dependencies.ts'
import type { ProbeCall, ProbeOptions } from '../../../connector/probe-report.ts'
import { redactAccountNumbers } from '../../../connector/redact-account-numbers.ts'
import type { Bank } from '../../../directory/bank.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import type { BankErrorDetail } from '../payments/order-errors.ts'
import { type BankClient, createBankClient } from '../transport/bank-client.ts'
import { parseBankErrors } from '../transport/parse-bank-errors.ts'
import { type BerlinGroupRequest, sendRequest } from '../transport/send-request.ts'

export type ProbeAnswer = BankResponse & { readonly errors: readonly BankErrorDetail[] }

export type ProbeQuestion = Pick<BerlinGroupRequest, 'method' | 'path' | 'headers' | 'body'> & {
  /** Settings that replace the profile's for this call. */
  readonly dialect?: Partial<Dialect>
  readonly withoutUser?: boolean
}

export type Prober = {
  readonly bank: Bank
  readonly dialect: Dialect
  readonly options: ProbeOptions
  readonly today: Temporal.PlainDate
  readonly line: BankClient
  readonly calls: readonly ProbeCall[]
  /** Throws `BankError` without an answer. */
  ask(question: ProbeQuestion): Promise<ProbeAnswer>
}

/** There is no user: a documentation address (RFC 5737), which no bank attributes to a customer. */
const SESSION = { ipAddress: '192.0.2.1', userAgent: 'havn bank probe', headers: {} }

/** Creates it without a call. */
export function openProber(tools: ConnectorDependencies, bank: Bank, options: ProbeOptions): Prober {
  const line = createBankClient(tools)
  const dialect = dialectOf(bank.profile)
  const calls: ProbeCall[] = []
  return {
    bank,
    dialect,
    options,
    line,
    calls,
    today: line.now().toZonedDateTimeISO(bank.profile.timeZone).toPlainDate(),
    ask: async (question) => {
      const call = `${question.method} ${question.path}`
      try {
        const answer = await answerTo(line, { bank, dialect, options }, question)
        calls.push({ call, answer: describeAnswer(answer) })
        return answer
      } catch (error) {
        calls.push({ call, answer: error instanceof BankError ? error.message : 'no answer' })
        throw error
      }
    },
  }
}

/** The status, and the bank's text of the named error or of the first one. */
export function describeAnswer({ status, errors }: ProbeAnswer, decisive?: BankErrorDetail): string {
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
  line: BankClient,
  { bank, dialect, options }: Pick<Prober, 'bank' | 'dialect' | 'options'>,
  { dialect: changes, withoutUser = false, headers, ...question }: ProbeQuestion,
): Promise<ProbeAnswer> {
  const profile = changes === undefined ? bank.profile : { ...bank.profile, dialect: { ...dialect, ...changes } }
  const caller: BankCaller = {
    bank: { ...bank, profile },
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
    requestId: newBankRequestId(),
    headers: { ...(withoutUser ? {} : identityHeaders(options)), ...headers },
  })
  return { ...response, errors: response.status < 400 ? [] : parseBankErrors(response.body) }
}
