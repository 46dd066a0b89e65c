/** Translates the standard's words on payments and consents into ours. */
import type { BankConsentState, ConsentTerms } from '../../connector/bank-consent.ts'
import type { StatusObservation } from '../../connector/order-at-bank.ts'
import { redact } from '../../connector/redact.ts'
import type { Dialect } from './dialect.ts'
import { type Consent, type Links, messagesOf, type PaymentCreated, type PaymentStatus, type Remarks } from './wire.ts'

type Outcome = Pick<StatusObservation, 'status' | 'statusReason'>

/** The body of a consent: recurring, and never combined with payments in one session. */
export function consentBody(terms: ConsentTerms, dialect: Dialect): Record<string, unknown> {
  const everything = dialect.askOwnerName ? 'allAccountsWithOwnerName' : 'allAccounts'
  // Empty lists leave the choice of accounts to the user at the bank.
  const offered = {
    accounts: [],
    balances: [],
    transactions: [],
    ...(dialect.askOwnerName ? { additionalInformation: { ownerName: [] } } : {}),
  }
  return {
    access: dialect.consentAccess === 'bank-offered' ? offered : { allPsd2: everything },
    recurringIndicator: true,
    validUntil: terms.validUntil.toString(),
    frequencyPerDay: dialect.frequencyPerDay,
    combinedServiceIndicator: false,
  }
}

/** What a bank's word on a payment means; `signed` is whether all authorisations that we know of are given. */
export function observe(answer: PaymentStatus, signed: boolean, dialect: Dialect): StatusObservation {
  const word = answer.transactionStatus
  const text = remarkOf(answer)
  const known = outcomeOf(answer, signed, dialect)
  return known === undefined
    ? { status: null, statusReason: null, statusReasonText: text ?? redact(word), bankStatus: redact(word) }
    : { ...known, statusReasonText: text, bankStatus: word }
}

/** What a bank's first word on an order means. One that we do not know is told as Unsigned where a signature is asked for. */
export function observeTaken(created: PaymentCreated, dialect: Dialect): StatusObservation {
  const observed = observe(created, needsNoSigning(created), dialect)
  return observed.status === null && asksForSigning(created) ? { ...observed, ...UNSIGNED } : observed
}

/** Whether an order was taken that nobody has to sign: no sign of an authentication, and the bank's checks are behind it. */
export function needsNoSigning(
  created: Pick<PaymentCreated, 'transactionStatus' | '_links' | AuthenticationSign>,
): boolean {
  return !asksForSigning(created) && ACCEPTED_UNSIGNED.has(created.transactionStatus)
}

/** Members of a body that only stand there when the user is to authenticate. */
const AUTHENTICATION_SIGNS = ['scaStatus', 'scaMethods', 'chosenScaMethod', 'challengeData'] as const
type AuthenticationSign = (typeof AUTHENTICATION_SIGNS)[number]
/** The same among links: each begins an authentication, goes on with one, or shows how it stands. */
const AUTHENTICATION_LINK =
  /^(sca(Redirect|OAuth|Status)|startAuthorisation.*|update.*|selectAuthenticationMethod|authoriseTransaction|confirmation)$/

/** Whether an answer says that the user is to sign. */
export function asksForSigning(created: Pick<PaymentCreated, '_links' | AuthenticationSign>): boolean {
  const isExempt = created.scaStatus === 'exempted'
  const isSignedFor = AUTHENTICATION_SIGNS.some((name) => created[name] !== undefined) && !isExempt
  return isSignedFor || Object.keys(created._links ?? {}).some((name) => AUTHENTICATION_LINK.test(name))
}

/** What a bank's word on a consent means, or undefined for a word that is not in the standard. */
export function consentState(answer: Consent): BankConsentState | undefined {
  const state = stateByConsentStatus.get(answer.consentStatus)
  return state === undefined
    ? undefined
    : { state, validUntil: dateOf(answer.validUntil), bankStatus: answer.consentStatus }
}

/** A date of a bank, or null when there is none or it is none. */
export function dateOf(text: string | undefined): Temporal.PlainDate | null {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(text ?? '') ?? []
  if (year === undefined) {
    return null
  }
  // Days that their month does not have become its last one.
  const date = Temporal.PlainDate.from({ year: Number(year), month: Number(month), day: Number(day) })
  return date.toString() === text ? date : null
}

/** Checks done, nothing executed: what banks say first of an order that needs no signing. */
const ACCEPTED_UNSIGNED: ReadonlySet<string> = new Set(['ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACSP', 'ACWP', 'ACSC', 'ACCC'])

/** Received or checked, and not yet on the way. */
const BEFORE_EXECUTION: ReadonlySet<string> = new Set(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'])

const UNSIGNED: Outcome = { status: 'Unsigned', statusReason: null }
const IN_PROGRESS: Outcome = { status: 'InProgress', statusReason: null }
const PARTLY_SIGNED: Outcome = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
const HELD_FOR_SMS: Outcome = { status: 'CustomerActionRequired', statusReason: 'SmsConfirmationRequired' }
const WITHOUT_FUNDS: Outcome = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }

const outcomeByStatus = tableOf<Outcome>({
  PATC: PARTLY_SIGNED,
  ACSP: IN_PROGRESS,
  ACWP: IN_PROGRESS,
  ACSC: { status: 'Completed', statusReason: null },
  ACCC: { status: 'Completed', statusReason: null },
  RJCT: { status: 'Rejected', statusReason: null },
  CANC: { status: 'Cancelled', statusReason: null },
})

const stateByConsentStatus = tableOf<BankConsentState['state']>({
  received: 'pending',
  partiallyAuthorised: 'pending',
  valid: 'valid',
  rejected: 'rejected',
  revokedByPsu: 'revoked-by-user',
  terminatedByTpp: 'revoked',
  expired: 'expired',
})

/** A table by a bank's words; a plain object would know words such as `constructor`. */
function tableOf<Meaning>(meanings: Readonly<Record<string, Meaning>>): ReadonlyMap<string, Meaning> {
  return new Map(Object.entries(meanings))
}

function outcomeOf(answer: PaymentStatus, signed: boolean, dialect: Dialect): Outcome | undefined {
  const word = standardWord(answer.transactionStatus, dialect)
  const outcome = BEFORE_EXECUTION.has(word)
    ? beforeExecution(word, answer, { signed, dialect })
    : outcomeByStatus.get(word)
  const isOpen = outcome?.status === 'Unsigned' || outcome?.status === 'InProgress'
  if (isOpen && dialect.heldForSmsCode !== null && tells(answer, dialect.heldForSmsCode)) {
    return HELD_FOR_SMS
  }
  if (outcome?.status === 'InProgress' && lacksFunds(answer)) {
    return WITHOUT_FUNDS
  }
  return outcome?.status === 'Rejected' && lacksFunds(answer)
    ? { ...outcome, statusReason: 'InsufficientFunds' }
    : outcome
}

/** The standard's word for one of the bank's own. */
export function standardWord(word: string, { ownStatuses = {} }: Dialect): string {
  return Object.hasOwn(ownStatuses, word) ? (ownStatuses[word] ?? word) : word
}

/** A bank that cannot say `PATC` offers to begin another authorisation once the first is given. */
function beforeExecution(
  word: string,
  { _links }: PaymentStatus,
  { signed, dialect }: { readonly signed: boolean; readonly dialect: Dialect },
): Outcome {
  const mayBeUnsigned = dialect.unsignedStatuses.some((status) => status === word)
  if (!mayBeUnsigned) {
    return IN_PROGRESS
  }
  if (!signed) {
    return UNSIGNED
  }
  return offersStart(_links) ? PARTLY_SIGNED : IN_PROGRESS
}

function offersStart(links: Links | undefined): boolean {
  return Object.keys(links ?? {}).some((name) => /^(sca(Redirect|OAuth)|startAuthorisation.*)$/.test(name))
}

function lacksFunds(answer: PaymentStatus): boolean {
  return answer.fundsAvailable === false || tells(answer, 'FUNDS_NOT_AVAILABLE')
}

function tells(answer: PaymentStatus, wanted: string): boolean {
  return messagesOf(answer).some(({ code }) => code === wanted)
}

/** What the bank tells the user, else the texts meant for us. */
export function remarkOf(answer: Remarks): string | null {
  const texts = messagesOf(answer).flatMap(({ text }) => text ?? [])
  const remark = redact(answer.psuMessage ?? texts.join(' '))
  return remark === '' ? null : remark
}
