/** Validates the two account numbers of a domestic payment. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { domesticRailOf } from '../../banks/connector/domestic-order.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { checkAccountNumber } from '../../countries/account-number.ts'
import { DOMESTIC_RAILS, type DomesticRail } from '../../countries/country.ts'
import { parseDebtorAccountNumber } from '../../countries/debtor-account-number.ts'
import { resolveCreditor } from './resolve-creditor.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** Completes "The account number is …" and "… pays to …". */
const accountTextByRail: Readonly<Record<DomesticRail, { readonly one: string; readonly many: string }>> = {
  account: { one: 'an account', many: 'accounts' },
  bankgiro: { one: 'a Bankgiro number', many: 'Bankgiro numbers' },
  plusgiro: { one: 'a Plusgiro number', many: 'Plusgiro numbers' },
  'payment-form': { one: 'that of a payment form', many: 'payment forms' },
}

/** Requires a bank account: other rails exist for creditors only. */
export function checkDebtorAccount(
  { from }: { readonly from: { readonly account: { readonly bban: string } } },
  { bank: { countryCode } }: ValidationContext,
): RuleResult {
  const checked = checkAccountNumber(countryCode, from.account.bban)
  if (!checked.ok) {
    return { code: 'InvalidBBAN', reason: `The account number ${checked.reason}` }
  }
  const rail = domesticRailOf(checked.bban, countryCode)
  return rail === 'account'
    ? undefined
    : {
        code: 'InvalidBBAN',
        reason: `The account number is ${accountTextByRail[rail].one}; send the number of the bank account instead`,
      }
}

/** Requires a valid number of a supported rail that is not the debtor's. */
export function checkCreditorAccount(order: DomesticPayment, { bank }: ValidationContext): RuleResult {
  const receiver = resolveCreditor(order, bank.countryCode)
  if (!receiver.ok) {
    return invalid(receiver.reason)
  }
  const { account } = receiver
  if (bank.profile.rails[account.type] === undefined) {
    return invalid(`is ${accountTextByRail[account.type].one}; ${bank.name} pays to ${supportedRailsText(bank)} only`)
  }
  const sender = parseDebtorAccountNumber(bank.countryCode, String(order.from?.account?.bban ?? ''))
  return account.type === 'account' && sender.bban === account.bban ? invalid('is that of the sender') : undefined
}

function supportedRailsText({ profile }: Bank): string {
  return DOMESTIC_RAILS.filter((rail) => profile.rails[rail] !== undefined)
    .map((rail) => accountTextByRail[rail].many)
    .join(', ')
}

function invalid(reason: string): RuleResult {
  return { code: 'InvalidAccountNumber', reason: `The account number ${reason}` }
}
