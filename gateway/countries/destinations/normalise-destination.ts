/** Normalises a valid destination for banks and providers: without separators, one account number. */

import { presentFields } from '../../platform/collections.ts'
import { plainCode, withoutSeparators } from '../../platform/copied-text.ts'
import { transliterate } from '../character-sets.ts'
import { accountCountryOf, accountIdentificationOf, checkClearingCodeOf, nordicIbanOf } from './account-validation.ts'
import { checkInformation, isInformationSupported } from './additional-information-validation.ts'
import type { Destination, InformationType } from './destination.ts'
import { requirementsOf } from './requirements-table.ts'

export type NormalisedDestination = {
  /** Country of the account (ISO 3166-1 alpha-2). */
  readonly bankCountry: string
  readonly account: { readonly iban: string } | { readonly bban: string }
  readonly bic: string
  /** Absent if there is none, and with an IBAN. */
  readonly clearingCode?: string
  /** Like the purpose, absent if payments to the country do not support it. */
  readonly taxCode?: string
  readonly reason?: string
  /** As written in the country's list. */
  readonly purpose?: string
}

/** `destination` must be valid; Nordic account numbers become IBANs. */
export function normaliseDestination(destination: Destination): NormalisedDestination {
  const bankCountry = accountCountryOf(destination)
  const account = normaliseAccount(destination, bankCountry)
  const clearingCode = 'iban' in account ? undefined : normaliseClearingCode(destination, bankCountry)
  const reason = normaliseInformation(destination, bankCountry, 'Reason')
  return {
    bankCountry,
    account,
    bic: destination.account.bic,
    ...presentFields({
      clearingCode,
      taxCode: normaliseInformation(destination, bankCountry, 'TaxCode'),
      reason: reason && transliterate(reason),
      purpose: normaliseInformation(destination, bankCountry, 'Purpose'),
    }),
  }
}

function normaliseAccount(destination: Destination, bankCountry: string): NormalisedDestination['account'] {
  const { text = '', isIban = false } = accountIdentificationOf(destination) ?? {}
  if (isIban) {
    return { iban: plainCode(text) }
  }
  const nordic = nordicIbanOf(bankCountry, text)
  return nordic === undefined ? { bban: withoutSeparators(text) } : { iban: nordic.iban }
}

function normaliseClearingCode({ account }: Destination, bankCountry: string): string | undefined {
  const rule = requirementsOf(bankCountry)?.clearingCode
  const checked = rule === undefined ? undefined : checkClearingCodeOf(account.clearingCode ?? '', rule)
  return checked?.ok === true ? checked.clearingCode : undefined
}

function normaliseInformation(
  { additionalInformation }: Destination,
  bankCountry: string,
  type: InformationType,
): string | undefined {
  const element = additionalInformation.find((information) => information.type === type)
  const requirements = requirementsOf(bankCountry)
  if (element === undefined || requirements === undefined || !isInformationSupported(type, requirements)) {
    return undefined
  }
  const checked = checkInformation(type, element.value, requirements)
  return checked.ok ? checked.value : undefined
}
