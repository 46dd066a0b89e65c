/** Sends the calls of a probe to a bank and records how each was answered. */
import { newBankRequestId } from '../../../../platform/ids.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankResponse, ConnectorTools } from '../../../connector/connector-dependencies.ts'
import type { ProbeCall, ProbeOptions } from '../../../connector/probe-report.ts'
import { redact } from '../../../connector/redact.ts'
import type { Bank } from '../../../directory/bank.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import type { BankError } from '../payments/order-errors.ts'
import { type Line, lineOf } from '../transport/bank-client.ts'
import { errorsOf } from '../transport/bank-errors.ts'
import { deliver, type Question } from '../transport/send-request.ts'

export type ProbeAnswer = BankResponse & { readonly errors: readonly BankError[] }

export type ProbeQuestion = Pick<Question, 'method' | 'path' | 'headers' | 'body'> & {
  /** Settings in which this call differs from the profile's. */
  readonly dialect?: Partial<Dialect>
  readonly withoutUser?: boolean
}

export type Prober = {
  readonly bank: Bank
  readonly dialect: Dialect
  readonly options: ProbeOptions
  readonly today: Temporal.PlainDate
  readonly line: Line
  readonly calls: readonly ProbeCall[]
  /** Throws `BankRefusal` where no answer came. */
  ask(question: ProbeQuestion): Promise<ProbeAnswer>
}

/** Nobody is there: an address of documentation (RFC 5737) that no bank takes for a customer's. */
const SESSION = { ipAddress: '192.0.2.1', userAgent: 'havn bank probe', headers: {} }

/** Opens it; no call is made yet. */
export function openProber(tools: ConnectorTools, bank: Bank, options: ProbeOptions): Prober {
  const line = lineOf(tools)
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
        calls.push({ call, answer: error instanceof BankRefusal ? error.message : 'no answer' })
        throw error
      }
    },
  }
}

/** The status, and the error that matters, which is the first one if none is named, in the bank's own words. */
export function describeAnswer({ status, errors }: ProbeAnswer, decisive?: BankError): string {
  const first = decisive ?? errors[0]
  const others = errors.slice(1)
  const place = first?.path ? ` at ${first.path}` : ''
  const text = first?.text ? `: ${redact(first.text)}` : ''
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return first === undefined ? String(status) : `${status} ${first.code}${place}${text}${more}`
}

/** What every creation carries: nothing is to be signed yet, and no browser will be sent anywhere. */
export function creationHeaders({ home }: Line): Record<string, string> {
  return {
    'tpp-explicit-authorisation-preferred': 'true',
    'tpp-redirect-preferred': 'true',
    'tpp-redirect-uri': home.success,
    'tpp-nok-redirect-uri': home.failure,
  }
}

/** Whether two answers say the same. */
export function isSameAnswer(one: ProbeAnswer, other: ProbeAnswer): boolean {
  const codes = ({ errors }: ProbeAnswer) => errors.map(({ code }) => code).join(' ')
  return one.status === other.status && codes(one) === codes(other)
}

/** No user is invented where none was named: a bank may notify whoever it is. */
function identityHeaders({ userId, organisationNumber }: ProbeOptions): Record<string, string> {
  return {
    ...(userId === null ? {} : { 'psu-id': userId }),
    ...(organisationNumber === null ? {} : { 'psu-corporate-id': organisationNumber }),
  }
}

async function answerTo(
  line: Line,
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
  const response = await deliver(line.fetch, caller, {
    ...question,
    operation: 'probe',
    purpose: 'consent',
    requestId: newBankRequestId(),
    headers: { ...(withoutUser ? {} : identityHeaders(options)), ...headers },
  })
  return { ...response, errors: response.status < 400 ? [] : errorsOf(response.body) }
}
