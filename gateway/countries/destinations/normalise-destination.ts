/** Brings a sound destination into the form that banks and providers are told: without separators, one number per account. */
import { transliterate } from '../character-sets.ts'
import { withoutSeparators } from '../separators.ts'
import { accountCountryOf, nameOf, nordicIbanOf } from './account-validation.ts'
import { checkInformation, isCarried } from './additional-information-validation.ts'
import { checkCode } from './clearing-code-validation.ts'
import { requirementsOf } from './country-requirements.ts'
import type { Destination, InformationType } from './destination.ts'

export type KeptDestination = {
  /** Where the account is (ISO 3166-1 alpha-2). */
  readonly bankCountry: string
  readonly account: { readonly iban: string } | { readonly bban: string }
  readonly bic: string
  /** Absent where there is none, and beside an IBAN. */
  readonly clearingCode?: string
  /** Like the purpose, absent where payments to the country do not carry one. */
  readonly taxCode?: string
  readonly reason?: string
  /** As the list of the country writes it. */
  readonly purpose?: string
}

/** Takes a destination without problems; domestic numbers of the Nordics become the IBANs that follow from them. */
export function keptDestination(destination: Destination): KeptDestination {
  const bankCountry = accountCountryOf(destination)
  const account = keptAccount(destination, bankCountry)
  const clearingCode = 'iban' in account ? undefined : keptClearingCode(destination, bankCountry)
  const [taxCode, reason, purpose] = [
    keptInformation(destination, bankCountry, 'TaxCode'),
    keptInformation(destination, bankCountry, 'Reason'),
    keptInformation(destination, bankCountry, 'Purpose'),
  ]
  return {
    bankCountry,
    account,
    bic: destination.account.bic,
    ...(clearingCode === undefined ? {} : { clearingCode }),
    ...(taxCode === undefined ? {} : { taxCode }),
    ...(reason === undefined ? {} : { reason: transliterate(reason) }),
    ...(purpose === undefined ? {} : { purpose }),
  }
}

function keptAccount(destination: Destination, bankCountry: string): KeptDestination['account'] {
  const named = nameOf(destination)
  const text = withoutSeparators(named?.text ?? '')
  if (named?.isIban === true) {
    return { iban: text.toUpperCase() }
  }
  const iban = nordicIbanOf(bankCountry, text)
  return iban === undefined ? { bban: text } : { iban }
}

function keptClearingCode({ account }: Destination, bankCountry: string): string | undefined {
  const needed = requirementsOf(bankCountry)?.clearingCode
  const checked = needed === undefined ? undefined : checkCode(account.clearingCode ?? '', needed)
  return checked?.ok === true ? checked.clearingCode : undefined
}

function keptInformation(
  { additionalInformation }: Destination,
  bankCountry: string,
  type: InformationType,
): string | undefined {
  const told = additionalInformation.find((information) => information.type === type)
  const requirements = requirementsOf(bankCountry)
  if (told === undefined || requirements === undefined || !isCarried(type, requirements)) {
    return undefined
  }
  const checked = checkInformation(type, told.value, requirements)
  return checked.ok ? checked.value : undefined
}
