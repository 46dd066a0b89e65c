/** Validates the account numbers of a domestic payment, and the company that debits its account. */

import { DOMESTIC_RAILS } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { kindOfCreditorNumber } from '../../banks/connector/bank-order.ts'
import type { CreditorNumberKind } from '../../countries/country.ts'
import { checkOrganisationNumber } from '../../countries/organisation-number.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import type { DomesticPaymentParts, ParsedDebtor } from './domestic-payment-parts.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** Completes "The account number is …" and "… pays to …". */
const textByKind: Readonly<Record<CreditorNumberKind, { readonly one: string; readonly many: string }>> = {
  account: { one: 'an account', many: 'accounts' },
  bankgiro: { one: 'a Bankgiro number', many: 'Bankgiro numbers' },
  plusgiro: { one: 'a Plusgiro number', many: 'Plusgiro numbers' },
  'payment-form': { one: 'that of a payment form', many: 'payment forms' },
}

/** Requires a bank account: other rails exist for creditors only. */
export function checkDebtorAccount(
  { debtor: { check } }: { readonly debtor: ParsedDebtor },
  { bank: { countryCode } }: Pick<ValidationContext, 'bank'>,
): RuleResult {
  if (!check.ok) {
    return { code: 'InvalidBBAN', reason: `The account number ${check.reason}` }
  }
  const kind = kindOfCreditorNumber(check.bban, countryCode)
  return kind === 'account'
    ? undefined
    : {
        code: 'InvalidBBAN',
        reason: `The account number is ${textByKind[kind].one}; send the number of the bank account instead`,
      }
}

/** Requires a valid number of a supported rail that is not the debtor's. */
export function checkCreditorAccount(
  { creditor, debtor, rail }: Pick<DomesticPaymentParts, 'creditor' | 'debtor' | 'rail'>,
  { bank }: Pick<ValidationContext, 'bank'>,
): RuleResult {
  if (!creditor.ok) {
    return invalid(creditor.reason)
  }
  const { account } = creditor
  if (bank.profile.rails[rail] === undefined) {
    return invalid(`is ${textByKind[account.type].one}; ${bank.name} pays to ${supportedRailsText(bank)} only`)
  }
  return account.type === 'account' && debtor.bban === account.bban ? invalid('is that of the sender') : undefined
}

function supportedRailsText({ profile }: Bank): string {
  return DOMESTIC_RAILS.filter((rail) => profile.rails[rail] !== undefined)
    .map((rail) => textByKind[rail].many)
    .join(', ')
}

function invalid(reason: string): RuleResult {
  return { code: 'InvalidAccountNumber', reason: `The account number ${reason}` }
}

/** The number is optional; if present it must be that of the consent's company. */
export function checkDebtorOrganisationNumber(
  { ordered }: { readonly ordered: { readonly from: { readonly organizationNumber?: string | number } } },
  { bank, organisationNumber }: ValidationContext,
): RuleResult {
  const { organizationNumber } = ordered.from
  if (organizationNumber === undefined) {
    return undefined
  }
  const checked = checkOrganisationNumber(bank.countryCode, String(organizationNumber))
  return checked.ok && checked.organisationNumber === organisationNumber
    ? undefined
    : { code: 'InvalidRequest', reason: `is not the company of the consent, ${organisationNumber}` }
}

/** Returns the remaining errors of the rules. The accounts of the consent are read only if the number was rejected. */
export async function acceptAccountOfConsent(
  errors: readonly ValidationError[],
  isOnConsent: () => Promise<boolean>,
): Promise<readonly ValidationError[]> {
  const others = errors.filter(({ code }) => code !== 'InvalidBBAN')
  return others.length < errors.length && (await isOnConsent()) ? others : errors
}
