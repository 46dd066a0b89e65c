/** Resolves the creditor of a domestic order: an account, a giro number or the issuer of a payment form. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { type CreditorAccount, creditorAccountNumber, domesticRailOf } from '../../banks/connector/domestic-order.ts'
import { checkAccountNumber, ibanOfChecked } from '../../countries/account-number.ts'
import type { DomesticRail } from '../../countries/country.ts'
import { parseDebtorAccountNumber } from '../../countries/debtor-account-number.ts'
import { areAtSameBank } from '../../countries/same-bank.ts'
import { parsePaymentForm } from '../../countries/structured-reference.ts'
import { withoutSeparators } from '../../platform/copied-text.ts'

/** Reasons and warnings complete the sentence "The account number …". */
export type ResolvedCreditor =
  | { readonly ok: true; readonly account: CreditorAccount; readonly warning?: string }
  | { readonly ok: false; readonly reason: string }

/** Uses number and remittance together; an invalid payment form is left to the validation of references. */
export function resolveCreditor(
  { to, remittanceInformation }: Pick<DomesticPayment, 'to' | 'remittanceInformation'>,
  countryCode: string,
): ResolvedCreditor {
  const form = remittanceInformation?.type === 'fik' ? parsePaymentForm(countryCode, remittanceInformation) : undefined
  return form === undefined
    ? byAccountNumber(to.account.bban, countryCode)
    : byPaymentForm(to.account.bban, form.creditorNumber)
}

/** Returns the rail of an order; an invalid creditor counts as an account. */
export function railOfOrder(
  ordered: Pick<DomesticPayment, 'to' | 'remittanceInformation'>,
  countryCode: string,
): DomesticRail {
  return railOfCreditor(resolveCreditor(ordered, countryCode))
}

/** Returns the rail of a resolved creditor. */
export function railOfCreditor(receiver: ResolvedCreditor): DomesticRail {
  return receiver.ok ? receiver.account.type : 'account'
}

/** Whether both accounts are at one bank, by the national tables of bank codes. */
export function isIntraBank(
  { from }: Pick<DomesticPayment, 'from'>,
  receiver: ResolvedCreditor,
  countryCode: string,
): boolean {
  const isToAccount = receiver.ok && receiver.account.type === 'account'
  const sender = parseDebtorAccountNumber(countryCode, from.account.bban)
  return isToAccount && areAtSameBank(countryCode, sender.bban, creditorAccountNumber(receiver.account))
}

function byAccountNumber(text: string, countryCode: string): ResolvedCreditor {
  const checked = checkAccountNumber(countryCode, text)
  if (!checked.ok) {
    return checked
  }
  const { bban, warning } = checked
  const rail = domesticRailOf(bban, countryCode)
  const account: CreditorAccount =
    rail === 'account'
      ? { type: rail, bban, iban: ibanOfChecked(countryCode, bban) ?? null }
      : { type: rail, number: bban }
  return warning === undefined ? { ok: true, account } : { ok: true, account, warning }
}

/** Such an order holds the number twice: where the two differ, the creditor is ambiguous. */
function byPaymentForm(text: string, creditorNumber: string): ResolvedCreditor {
  const plain = (number: string) => withoutSeparators(number).replace(/^0+/, '')
  return plain(text) === plain(creditorNumber)
    ? { ok: true, account: { type: 'payment-form', number: creditorNumber } }
    : { ok: false, reason: `is not ${creditorNumber}, the creditor or giro number on the payment form` }
}
