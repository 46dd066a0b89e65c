/** Translates between our words and the standard's: orders, statuses, authorisations and consents. */
import { bbanOf } from '../../countries/account-number.ts'
import { type Money, printMoney } from '../../foundation/money.ts'
import type {
  AuthorisationState,
  BankConsentState,
  ConsentTerms,
  DomesticOrder,
  HeldOrder,
  Remittance,
  StatusObservation,
} from '../connector.ts'
import { redact } from '../redact.ts'
import type { Dialect } from './dialect.ts'
import { signedMoney } from './translate-accounts.ts'
import {
  type Authorisation,
  type Consent,
  type Links,
  messagesOf,
  type PaymentHeld,
  type PaymentStatus,
  type Remarks,
} from './wire.ts'

type Outcome = Pick<StatusObservation, 'status' | 'statusReason'>

/** The body of a domestic payment. Undefined members are left out when it is printed. */
export function orderBody(order: DomesticOrder, dialect: Dialect): Record<string, unknown> {
  return {
    ...(dialect.endToEndIdentification ? { endToEndIdentification: order.endToEndId } : {}),
    // Its currency is for accounts that hold several; naming it elsewhere is refused by some banks.
    debtorAccount: { bban: order.debtor.bban },
    instructedAmount: amountBody(order.amount),
    creditorAccount: { bban: order.creditor.bban },
    creditorName: order.creditor.name,
    ...(order.remittance === null ? {} : remittanceBody(order.remittance, dialect)),
    requestedExecutionDate: order.dueDate.toString(),
    ...(order.purposeCode === null ? {} : { purposeCode: order.purposeCode }),
  }
}

/** The order that a bank holds; numbers are domestic, whichever way the bank writes them. */
export function heldOrder({ debtorAccount, creditorAccount, instructedAmount }: PaymentHeld): HeldOrder {
  return {
    debtorBban: domesticNumber(debtorAccount),
    creditorBban: domesticNumber(creditorAccount),
    amount: instructedAmount === undefined ? null : signedMoney(instructedAmount.amount, instructedAmount.currency),
  }
}

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
export function observe(answer: PaymentStatus, signed: boolean): StatusObservation {
  const word = answer.transactionStatus
  const text = remarkOf(answer)
  const known = outcomeOf(word, signed, lacksFunds(answer))
  return known === undefined
    ? { status: null, statusReason: null, statusReasonText: text ?? redact(word), bankStatus: redact(word) }
    : { ...known, statusReasonText: text, bankStatus: word }
}

/** Whether an order was taken that nobody has to sign: nothing to start, and the bank's checks are behind it. */
export function needsNoSigning(word: string, links: Links | undefined): boolean {
  const offersStart = Object.keys(links ?? {}).some((name) => /^(sca(Redirect|OAuth)|startAuthorisation.*)$/.test(name))
  return !offersStart && ACCEPTED_UNSIGNED.has(word)
}

/** What a bank's word on an authorisation means. A word of the bank's own counts as open: only three words are final. */
export function authorisationState(answer: Authorisation, dialect: Dialect): AuthorisationState {
  const text = remarkOf(answer)
  const state = stateByScaStatus.get(answer.scaStatus) ?? 'open'
  const left = new RegExp(dialect.cancelledText, 'i').test(text ?? '')
  return { state: state === 'refused' && left ? 'cancelled' : state, scaStatus: redact(answer.scaStatus), text }
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
  return text !== undefined && /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)
    ? Temporal.PlainDate.from(text)
    : null
}

/** Checks done, nothing executed: what banks say first of an order that needs no signing. */
const ACCEPTED_UNSIGNED: ReadonlySet<string> = new Set(['ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACSP', 'ACWP', 'ACSC', 'ACCC'])

/** Received or checked; whether it goes on depends on whether it is signed. */
const BEFORE_EXECUTION: ReadonlySet<string> = new Set(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'])

const outcomeByStatus = tableOf<Outcome>({
  PATC: { status: 'CustomerActionRequired', statusReason: 'PartlySigned' },
  ACSP: { status: 'InProgress', statusReason: null },
  ACWP: { status: 'InProgress', statusReason: null },
  ACSC: { status: 'Completed', statusReason: null },
  ACCC: { status: 'Completed', statusReason: null },
  RJCT: { status: 'Rejected', statusReason: null },
  CANC: { status: 'Cancelled', statusReason: null },
})

const stateByScaStatus = tableOf<AuthorisationState['state']>({
  finalised: 'signed',
  exempted: 'exempt',
  failed: 'refused',
})

const stateByConsentStatus = tableOf<BankConsentState['state']>({
  received: 'pending',
  partiallyAuthorised: 'pending',
  valid: 'valid',
  rejected: 'rejected',
  revokedByPsu: 'revoked',
  terminatedByTpp: 'revoked',
  expired: 'expired',
})

/** A table by a bank's words; a plain object would know words such as `constructor`. */
function tableOf<Meaning>(meanings: Readonly<Record<string, Meaning>>): ReadonlyMap<string, Meaning> {
  return new Map(Object.entries(meanings))
}

function outcomeOf(word: string, signed: boolean, withoutFunds: boolean): Outcome | undefined {
  const outcome: Outcome | undefined = BEFORE_EXECUTION.has(word)
    ? { status: signed ? 'InProgress' : 'Unsigned', statusReason: null }
    : outcomeByStatus.get(word)
  if (withoutFunds && outcome?.status === 'InProgress') {
    return { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }
  }
  return withoutFunds && outcome?.status === 'Rejected' ? { ...outcome, statusReason: 'InsufficientFunds' } : outcome
}

function lacksFunds(answer: PaymentStatus): boolean {
  return answer.fundsAvailable === false || messagesOf(answer).some(({ code }) => code === 'FUNDS_NOT_AVAILABLE')
}

/** What the bank tells the user, else the texts meant for us. */
function remarkOf(answer: Remarks): string | null {
  const texts = messagesOf(answer).flatMap(({ text }) => text ?? [])
  const remark = redact(answer.psuMessage ?? texts.join(' '))
  return remark === '' ? null : remark
}

function domesticNumber(account: PaymentHeld['debtorAccount']): string | null {
  const ofIban = account?.iban === undefined ? undefined : bbanOf(account.iban)
  return account?.bban ?? (ofIban?.ok === true ? ofIban.bban : null)
}

function remittanceBody(remittance: Remittance, dialect: Dialect): Record<string, unknown> {
  if (remittance.type === 'ocr') {
    const reference = { reference: remittance.value, referenceType: 'SCOR' }
    const many = dialect.structuredReference === 'remittanceInformationStructuredArray'
    return { [dialect.structuredReference]: many ? [reference] : reference }
  }
  const many = dialect.message === 'remittanceInformationUnstructuredArray'
  const { value, debtorReference } = remittance
  return {
    [dialect.message]: many ? [value] : value,
    ...(dialect.debtorReference === null || debtorReference === undefined
      ? {}
      : { [dialect.debtorReference]: debtorReference }),
  }
}

function amountBody(money: Money): { currency: string; amount: string } {
  const { amount, currency } = printMoney(money)
  return { currency, amount }
}
