/** Finds out what the parts of a domestic payment mean in the country of its bank, each part once, and builds its order from them. */
import type { DomesticPayment, DomesticRail } from '../../../contract/payments/domestic-payment.ts'
import {
  type CreditorAccount,
  creditorAccountNumber,
  type DomesticOrder,
  kindOfCreditorNumber,
  type Remittance,
  sendableAddress,
} from '../../banks/connector/bank-order.ts'
import type { DebtorAccount } from '../../consents/accounts/find-account.ts'
import {
  areAtSameBank,
  checkAccountNumber,
  type DebtorAccountNumber,
  debtorAccountNumberOf,
} from '../../countries/account-number.ts'
import type { CheckedReference, CheckResult, FikParts } from '../../countries/country.ts'
import { checkReference, countryRules, parsePaymentForm } from '../../countries/served-countries.ts'
import { parseDay } from '../../platform/clock.ts'
import { withoutSeparators } from '../../platform/copied-text.ts'
import { type Money, parseMoney } from '../../platform/money.ts'

/** The debtor's number as banks write it, and whether it is valid. */
export type ParsedDebtor = DebtorAccountNumber & { readonly check: CheckResult<'bban'> }

/** A domestic payment and what its parts mean; undefined or `ok: false` where one is invalid or violates its schema. */
export type DomesticPaymentParts = {
  readonly ordered: DomesticPayment
  readonly debtor: ParsedDebtor
  readonly creditor: ResolvedCreditor
  /** That of the creditor's number; `account` for an invalid one. */
  readonly rail: DomesticRail
  /** Between two accounts of one bank, by the national tables of bank codes, money moves on every day and at every hour. */
  readonly needsClearing: boolean
  readonly amount: Money | undefined
  readonly dueDate: Temporal.PlainDate | undefined
  /** Of a reference or payment form. */
  readonly reference: CheckedReference | undefined
  readonly form: FikParts | undefined
}

/** A payment that a bank can execute. The debtor's number may fail our check: the bank may know better. */
export type ValidDomesticPayment = DomesticPaymentParts & {
  readonly creditor: Extract<ResolvedCreditor, { readonly ok: true }>
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
}

type IsSound = (path: string) => boolean

const UNSOUND = { ok: false, reason: '' } as const

/** Parses the number of a debtor account, which transactions of one payroll share; undefined if it violates its schema. */
export function parseDebtor(countryCode: string, text: string | undefined): ParsedDebtor {
  if (text === undefined) {
    return { bban: '', iban: null, check: UNSOUND }
  }
  const check = checkAccountNumber(countryCode, text)
  return { ...debtorAccountNumberOf(countryCode, text, check), check }
}

/** `isSound` states which parts have the right shape; the others are not read. */
export function parseDomesticPaymentParts(
  ordered: DomesticPayment,
  countryCode: string,
  debtor: ParsedDebtor,
  isSound: IsSound,
): DomesticPaymentParts {
  const remittance = isSound('.remittanceInformation') ? ordered.remittanceInformation : undefined
  const form = remittance?.type === 'fik' ? parsePaymentForm(countryCode, remittance) : undefined
  const creditor = isSound('.to.account.bban') ? resolveCreditor(countryCode, ordered.to.account.bban, form) : UNSOUND
  const account = creditor.ok && creditor.account.type === 'account' ? creditor.account : undefined
  const isKnown = debtor.bban !== '' && account !== undefined
  return {
    ordered,
    debtor,
    creditor,
    rail: creditor.ok ? creditor.account.type : 'account',
    needsClearing: !isKnown || !areAtSameBank(countryCode, debtor.bban, creditorAccountNumber(account)),
    amount: isSound('.amount') ? parseMoney(ordered.amount.amount, ordered.amount.currency) : undefined,
    dueDate: isSound('.dueDate') ? parseDay(ordered.dueDate) : undefined,
    reference:
      remittance === undefined || remittance.type === 'message' ? undefined : checkReference(countryCode, remittance),
    form,
  }
}

/** Returns undefined where a part is invalid that every order needs. */
export function asValidPayment(parts: DomesticPaymentParts): ValidDomesticPayment | undefined {
  const { creditor, amount, dueDate } = parts
  return creditor.ok && amount !== undefined && dueDate !== undefined && parts.reference?.ok !== false
    ? { ...parts, creditor, amount, dueDate }
    : undefined
}

/** The parts of a payment that was accepted earlier; `debtor` is its debtor where that is parsed already. */
export function partsOfAcceptedPayment(
  ordered: DomesticPayment,
  countryCode: string,
  debtor: ParsedDebtor = parseDebtor(countryCode, ordered.from.account.bban),
): DomesticPaymentParts {
  return parseDomesticPaymentParts(ordered, countryCode, debtor, () => true)
}

/** Reasons and warnings complete the sentence "The account number …". */
type ResolvedCreditor =
  | { readonly ok: true; readonly account: CreditorAccount; readonly warning?: string }
  | { readonly ok: false; readonly reason: string }

/** Uses number and payment form together; an invalid form is left to the validation of references. */
function resolveCreditor(countryCode: string, text: string, form: FikParts | undefined): ResolvedCreditor {
  if (form !== undefined) {
    return byPaymentForm(text, form.creditorNumber)
  }
  const checked = checkAccountNumber(countryCode, text)
  if (!checked.ok) {
    return checked
  }
  const { bban, warning } = checked
  const kind = kindOfCreditorNumber(bban, countryCode)
  const account: CreditorAccount =
    kind === 'account'
      ? { type: kind, bban, iban: countryRules(countryCode)?.ibanOf(bban) ?? null }
      : { type: kind, number: bban }
  return warning === undefined ? { ok: true, account } : { ok: true, account, warning }
}

/** Such an order holds the number twice: where the two differ, the creditor is ambiguous. */
function byPaymentForm(text: string, creditorNumber: string): ResolvedCreditor {
  const plain = (number: string) => withoutSeparators(number).replace(/^0+/, '')
  return plain(text) === plain(creditorNumber)
    ? { ok: true, account: { type: 'payment-form', number: creditorNumber } }
    : { ok: false, reason: `is not ${creditorNumber}, the creditor or giro number on the payment form` }
}

/** The order, with the IBAN that is computed from the debtor's number. */
export function domesticOrderOf({
  ordered: { metadata, from, to, remittanceInformation, purposeCode },
  debtor: { bban, iban },
  creditor,
  rail,
  amount,
  dueDate,
  reference,
  form,
}: ValidDomesticPayment): DomesticOrder {
  const address = sendableAddress(to.contactInformation.address)
  return {
    endToEndId: metadata.endToEndId,
    rail,
    debtor: { bban, iban, name: from.contactInformation.name, currency: from.currency },
    creditor: { account: creditor.account, name: to.contactInformation.name, ...(address && { address }) },
    amount,
    dueDate,
    remittance: remittanceOf(remittanceInformation, { reference, form }),
    purposeCode: purposeCode ?? null,
  }
}

/** What an order has of the account that it debits, as its bank lists it. */
export type ListedDebtor = Pick<DebtorAccount, 'iban' | 'sharesNumber'>

/** The bank's own IBAN of the debtor takes precedence over the computed one. */
export function withListedDebtor<Order extends Pick<DomesticOrder, 'debtor'>>(
  order: Order,
  listed: ListedDebtor | undefined,
): Order {
  const { iban, sharesNumber = false } = listed ?? {}
  return { ...order, debtor: { ...order.debtor, iban: iban ?? order.debtor.iban, sharesNumber } }
}

/** The order of a payment that was accepted earlier, with the computed IBAN. Throws for one that was not. */
export function orderOfAcceptedPayment(
  ordered: DomesticPayment,
  countryCode: string,
  debtor?: ParsedDebtor,
): DomesticOrder {
  const valid = asValidPayment(partsOfAcceptedPayment(ordered, countryCode, debtor))
  if (valid === undefined) {
    throw new Error('Expected a payment that was validated')
  }
  return domesticOrderOf(valid)
}

function remittanceOf(
  remittance: DomesticPayment['remittanceInformation'],
  { reference, form }: Pick<ValidDomesticPayment, 'reference' | 'form'>,
): Remittance | null {
  if (form !== undefined) {
    const { cardType, paymentId = null, message = null } = form
    return { type: 'fik', cardType, paymentId, message }
  }
  if (remittance?.type === 'message') {
    return remittance
  }
  return reference?.ok === true ? { type: 'ocr', value: reference.reference } : null
}
