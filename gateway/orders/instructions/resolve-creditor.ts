/** Finds out whom an order pays: an account, a Swedish giro number, or whoever sent a Danish payment form. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { type CreditorAccount, numberOf, railOf } from '../../banks/connector/domestic-order.ts'
import type { DomesticRail } from '../../banks/directory/bank.ts'
import { checkAccountNumber, ibanOfChecked } from '../../countries/account-number.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import { formOf } from '../../countries/denmark/fik.ts'
import { areOfOneBank } from '../../countries/same-bank.ts'

/** Reasons and warnings complete "The account number …". */
export type Receiver =
  | { readonly ok: true; readonly account: CreditorAccount; readonly warning?: string }
  | { readonly ok: false; readonly reason: string }

/** The receiver by number and remittance together; a form that is none is left to the rule on references. */
export function receiverOf(
  { to, remittanceInformation }: Pick<DomesticPayment, 'to' | 'remittanceInformation'>,
  countryCode: string,
): Receiver {
  const form = remittanceInformation?.type === 'fik' && countryCode === 'DK' ? formOf(remittanceInformation) : undefined
  return form === undefined ? byNumber(to.account.bban, countryCode) : onForm(to.account.bban, form.creditorNumber)
}

/** The way in which an order travels; one whose receiver is not sound counts as paid to an account. */
export function railOfOrder(
  ordered: Pick<DomesticPayment, 'to' | 'remittanceInformation'>,
  countryCode: string,
): DomesticRail {
  return railTo(receiverOf(ordered, countryCode))
}

/** The same of a receiver who is known already. */
export function railTo(receiver: Receiver): DomesticRail {
  return receiver.ok ? receiver.account.type : 'account'
}

/** Whether one bank keeps both accounts, by the national tables of bank codes. */
export function isWithinBank(
  { from }: Pick<DomesticPayment, 'from'>,
  receiver: Receiver,
  countryCode: string,
): boolean {
  const isToAccount = receiver.ok && receiver.account.type === 'account'
  const sender = senderNumber(countryCode, from.account.bban)
  return isToAccount && areOfOneBank(countryCode, sender.bban, numberOf(receiver.account))
}

function byNumber(text: string, countryCode: string): Receiver {
  const checked = checkAccountNumber(countryCode, text)
  if (!checked.ok) {
    return checked
  }
  const { bban, warning } = checked
  const rail = railOf(bban, countryCode)
  const account: CreditorAccount =
    rail === 'account'
      ? { type: rail, bban, iban: ibanOfChecked(countryCode, bban) ?? null }
      : { type: rail, number: bban }
  return warning === undefined ? { ok: true, account } : { ok: true, account, warning }
}

/** The number stands twice in such an order: where they differ, nobody knows who was meant. */
function onForm(text: string, creditorNumber: string): Receiver {
  const plain = (number: string) => number.replace(/[ .-]/g, '').replace(/^0+/, '')
  return plain(text) === plain(creditorNumber)
    ? { ok: true, account: { type: 'payment-form', number: creditorNumber } }
    : { ok: false, reason: `is not ${creditorNumber}, the creditor or giro number on the payment form` }
}
