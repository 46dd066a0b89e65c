/** Translates the standard's statuses of payments. */
import type { StatusObservation } from '../../connector/bank-order.ts'
import { redactAccountNumbers } from '../../connector/bank-text.ts'
import type { Dialect } from './dialect.ts'
import { type BankMessages, type Links, messagesOf, type PaymentCreated, type PaymentStatus } from './wire.ts'

type Outcome = Pick<StatusObservation, 'status' | 'statusReason'>

/** The meaning of a payment status; `signed`: all authorisations that we know of are completed. */
export function toStatusObservation(answer: PaymentStatus, signed: boolean, dialect: Dialect): StatusObservation {
  const status = answer.transactionStatus
  const known = outcomeOf(answer, signed, dialect)
  const isOver = known?.status === 'Rejected' || known?.status === 'Cancelled'
  const text = isOver ? (bankReasonOf(answer) ?? codesOf(answer)) : bankMessageOf(answer)
  return known === undefined
    ? {
        status: null,
        statusReason: null,
        statusReasonText: text ?? redactAccountNumbers(status),
        bankStatus: redactAccountNumbers(status),
      }
    : { ...known, statusReasonText: text, bankStatus: status }
}

/** The acknowledgement itself says that the bank has received the order. */
const RECEIVED = 'RCVD'

/** The meaning of the status after initiation. An unknown one means Unsigned where SCA is required. */
export function toInitiationObservation(created: PaymentCreated, dialect: Dialect): StatusObservation {
  const { transactionStatus = RECEIVED } = created
  const observed = toStatusObservation({ ...created, transactionStatus }, isScaExempt(created), dialect)
  return observed.status === null && requiresSca(created) ? { ...observed, ...UNSIGNED } : observed
}

/** Whether an order is exempt from SCA: the bank has checked it and indicates no authentication. */
export function isScaExempt({ transactionStatus = RECEIVED, ...created }: SignableAnswer): boolean {
  return !requiresSca(created) && ACCEPTED_UNSIGNED.has(transactionStatus)
}

type SignableAnswer = Pick<PaymentCreated, 'transactionStatus' | '_links' | AuthenticationSign>

/** Body fields that are only present when the user has to authenticate. */
const AUTHENTICATION_SIGNS = ['scaStatus', 'scaMethods', 'chosenScaMethod', 'challengeData'] as const
type AuthenticationSign = (typeof AUTHENTICATION_SIGNS)[number]
/** The same for links: each starts, continues or shows an authentication. */
const AUTHENTICATION_LINK =
  /^(sca(Redirect|OAuth|Status)|startAuthorisation.*|update.*|selectAuthenticationMethod|authoriseTransaction|confirmation)$/

/** Whether an answer requires the user to sign. */
export function requiresSca(created: Pick<PaymentCreated, '_links' | AuthenticationSign>): boolean {
  const isExempt = created.scaStatus === 'exempted'
  const isSignedFor = AUTHENTICATION_SIGNS.some((name) => created[name] !== undefined) && !isExempt
  return isSignedFor || Object.keys(created._links ?? {}).some((name) => AUTHENTICATION_LINK.test(name))
}

/** Checked, not executed: the first statuses of an order that needs no SCA. */
const ACCEPTED_UNSIGNED: ReadonlySet<string> = new Set(['ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACSP', 'ACWP', 'ACSC', 'ACCC'])

/** Received or checked, not yet executed. */
const BEFORE_EXECUTION: ReadonlySet<string> = new Set(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'])

const UNSIGNED: Outcome = { status: 'Unsigned', statusReason: null }
const IN_PROGRESS: Outcome = { status: 'InProgress', statusReason: null }
const PARTLY_SIGNED: Outcome = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
const HELD_FOR_SMS: Outcome = { status: 'CustomerActionRequired', statusReason: 'SmsConfirmationRequired' }
const WITHOUT_FUNDS: Outcome = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }

/** A map, because a plain object also has properties such as `constructor`. */
const outcomeByStatus: ReadonlyMap<string, Outcome> = new Map(
  Object.entries<Outcome>({
    PATC: PARTLY_SIGNED,
    ACSP: IN_PROGRESS,
    ACWP: IN_PROGRESS,
    ACSC: { status: 'Completed', statusReason: null },
    ACCC: { status: 'Completed', statusReason: null },
    RJCT: { status: 'Rejected', statusReason: null },
    CANC: { status: 'Cancelled', statusReason: null },
  }),
)

function outcomeOf(answer: PaymentStatus, signed: boolean, dialect: Dialect): Outcome | undefined {
  const status = standardStatus(answer.transactionStatus, dialect)
  const outcome = BEFORE_EXECUTION.has(status)
    ? beforeExecution(status, answer, { signed, dialect })
    : outcomeByStatus.get(status)
  const isOpen = outcome?.status === 'Unsigned' || outcome?.status === 'InProgress'
  if (isOpen && dialect.heldForSmsCode !== null && hasMessageCode(answer, dialect.heldForSmsCode)) {
    return HELD_FOR_SMS
  }
  if (outcome?.status === 'InProgress' && lacksFunds(answer)) {
    return WITHOUT_FUNDS
  }
  return outcome?.status === 'Rejected' && lacksFunds(answer)
    ? { ...outcome, statusReason: 'InsufficientFunds' }
    : outcome
}

/** Whether a status has a meaning, for a single payment, a bulk or a basket. */
export function isKnownPaymentStatus(status: string, dialect: Dialect): boolean {
  const standard = standardStatus(status, dialect)
  return BEFORE_EXECUTION.has(standard) || outcomeByStatus.has(standard) || standard === 'PART'
}

/** The standard status of a proprietary one. */
export function standardStatus(status: string, { ownStatuses = {} }: Dialect): string {
  return Object.hasOwn(ownStatuses, status) ? (ownStatuses[status] ?? status) : status
}

/** A bank without `PATC` offers the start of another authorisation after the first one. */
function beforeExecution(
  status: string,
  { _links }: PaymentStatus,
  { signed, dialect }: { readonly signed: boolean; readonly dialect: Dialect },
): Outcome {
  const mayBeUnsigned = dialect.unsignedStatuses.some((unsigned) => unsigned === status)
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
  return answer.fundsAvailable === false || hasMessageCode(answer, 'FUNDS_NOT_AVAILABLE')
}

function hasMessageCode(answer: PaymentStatus, wanted: string): boolean {
  return messagesOf(answer).some(({ code }) => code === wanted)
}

/** The standard's messages have 500 characters at most; some banks send several. */
const MESSAGE_CHARACTERS_MAX = 2_000

/** The bank's message to the PSU, otherwise its messages to the TPP. */
export function bankMessageOf(answer: BankMessages): string | null {
  return redactedText([answer.psuMessage ?? textsOf(answer).join(' ')])
}

/**
 * Why something ended. The messages to the TPP come first: the one to the PSU often says only that it did, and is cut
 * where there is no room for both.
 */
export function bankReasonOf(answer: BankMessages): string | null {
  const reason = textsOf(answer).join(' ')
  const { psuMessage = '' } = answer
  return redactedText(reason.includes(psuMessage) ? [reason] : [reason, psuMessage])
}

/** The bank's codes, where it gives no text. */
function codesOf(answer: BankMessages): string | null {
  return redactedText([
    messagesOf(answer)
      .flatMap(({ code }) => code ?? [])
      .join(', '),
  ])
}

function textsOf(answer: BankMessages): readonly string[] {
  return messagesOf(answer).flatMap(({ text }) => text ?? [])
}

function redactedText(texts: readonly string[]): string | null {
  const text = texts.filter((each) => each.trim() !== '').join(' – ')
  return redactAccountNumbers(text.slice(0, MESSAGE_CHARACTERS_MAX)) || null
}
