/** The rules on the two account numbers of a domestic payment. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { railOf } from '../../banks/connector/domestic-order.ts'
import { type Bank, DOMESTIC_RAILS, type DomesticRail } from '../../banks/directory/bank.ts'
import { checkAccountNumber } from '../../countries/account-number.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import { receiverOf } from '../../orders/instructions/resolve-creditor.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'

/** What completes "The account number is …" and "The bank takes …". */
const wordsByRail: Readonly<Record<DomesticRail, { readonly one: string; readonly many: string }>> = {
  account: { one: 'an account', many: 'accounts' },
  bankgiro: { one: 'a Bankgiro number', many: 'Bankgiro numbers' },
  plusgiro: { one: 'a Plusgiro number', many: 'Plusgiro numbers' },
  'payment-form': { one: 'that of a payment form', many: 'payment forms' },
}

/** Money is taken from accounts only, whatever it is paid to. */
export function checkSenderAccount(
  { from }: { readonly from: { readonly account: { readonly bban: string } } },
  { bank: { countryCode } }: Situation,
): Finding {
  const checked = checkAccountNumber(countryCode, from.account.bban)
  if (!checked.ok) {
    return { code: 'InvalidBBAN', reason: `The account number ${checked.reason}` }
  }
  const rail = railOf(checked.bban, countryCode)
  return rail === 'account'
    ? undefined
    : { code: 'InvalidBBAN', reason: `The account number is ${wordsByRail[rail].one}; write the account behind it` }
}

/** The number must be sound, of a kind that the bank pays to, and not the sender's own. */
export function checkReceiverAccount(order: DomesticPayment, { bank }: Situation): Finding {
  const receiver = receiverOf(order, bank.countryCode)
  if (!receiver.ok) {
    return invalid(receiver.reason)
  }
  const { account } = receiver
  if (bank.profile.rails[account.type] === undefined) {
    return invalid(`is ${wordsByRail[account.type].one}; ${bank.name} pays to ${offered(bank)} only`)
  }
  const sender = senderNumber(bank.countryCode, String(order.from?.account?.bban ?? ''))
  return account.type === 'account' && sender.bban === account.bban ? invalid('is the sender’s own') : undefined
}

function offered({ profile }: Bank): string {
  return DOMESTIC_RAILS.filter((rail) => profile.rails[rail] !== undefined)
    .map((rail) => wordsByRail[rail].many)
    .join(', ')
}

function invalid(reason: string): Finding {
  return { code: 'InvalidAccountNumber', reason: `The account number ${reason}` }
}
