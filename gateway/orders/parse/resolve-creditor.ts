/** Resolves the creditor of a domestic order: an account, a giro number or the issuer of a payment form. */
import { type CreditorAccount, domesticRailOf } from '../../banks/connector/bank-order.ts'
import { checkAccountNumber, ibanOfChecked } from '../../countries/account-number.ts'
import type { FikParts } from '../../countries/payment-reference.ts'
import { withoutSeparators } from '../../platform/copied-text.ts'

/** Reasons and warnings complete the sentence "The account number …". */
export type ResolvedCreditor =
  | { readonly ok: true; readonly account: CreditorAccount; readonly warning?: string }
  | { readonly ok: false; readonly reason: string }

/** Uses number and payment form together; an invalid form is left to the validation of references. */
export function resolveCreditor(text: string, form: FikParts | undefined, countryCode: string): ResolvedCreditor {
  return form === undefined ? byAccountNumber(text, countryCode) : byPaymentForm(text, form.creditorNumber)
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
