/** Validates a cross-border destination by the rules of the receiver's country and of its bank's country. */
import { accountCountryOf, bicCountryOf, validateAccount } from './account-validation.ts'
import { validateInformation, validateMessage } from './additional-information-validation.ts'
import { validateAddress } from './address-validation.ts'
import type { Destination, DestinationError, DestinationWarning, Finding } from './destination.ts'
import { type CountryRequirements, requirementsOf } from './requirements-table.ts'

/** Everything that would prevent the payment, in the order of the fields; empty if it can be sent. */
export function destinationErrors(destination: Destination): readonly DestinationError[] {
  return validateDestination(destination).validationErrors
}

/** What looks wrong, though such payments have succeeded. */
export function destinationWarnings(destination: Destination): readonly DestinationWarning[] {
  return validateDestination(destination).warnings
}

/**
 * The country of the account determines the rules of account, currency and information; the receiver's country those of
 * the post code. For an unsupported country, that is the only error.
 */
export function validateDestination(destination: Destination): {
  readonly validationErrors: readonly DestinationError[]
  readonly warnings: readonly DestinationWarning[]
} {
  const bankCountry = accountCountryOf(destination)
  const ofBank = requirementsOf(bankCountry)
  const ofReceiver = requirementsOf(destination.address.country)
  const findings = [
    ...validateBankCountry(destination, bankCountry),
    ...validateAccount(destination, ofBank),
    ...(ofReceiver === undefined
      ? unsupported('address.country', destination.address.country)
      : validateAddress(destination, ofBank ?? ofReceiver, ofReceiver)),
    ...(ofBank === undefined ? [] : validateCurrency(destination, ofBank)),
    ...(ofBank === undefined ? [] : validateInformation(destination, ofBank)),
    ...validateMessage(destination.message),
  ]
  return {
    validationErrors: findings.filter((finding) => finding.fault !== undefined),
    warnings: findings.filter((finding) => finding.fault === undefined),
  }
}

/** The bank's country must be supported even if the IBAN is of another one. */
function validateBankCountry({ account, address }: Destination, bankCountry: string): readonly Finding[] {
  const country = bicCountryOf(account.bic) ?? bankCountry
  return requirementsOf(country) === undefined && country !== address.country ? unsupported('bic', country) : []
}

function unsupported(part: 'bic' | 'address.country', country: string): readonly Finding[] {
  const reason = `is of ${country}: payments to this country are not supported`
  return [{ part, fault: { kind: 'country-unsupported', country }, reason }]
}

function validateCurrency({ currency }: Destination, { name, currencies }: CountryRequirements): readonly Finding[] {
  const fault = { kind: 'currency-not-accepted', accepted: currencies } as const
  const reason = `must be a payout currency of ${name}: ${currencies.join(', ')}`
  return currencies.includes(currency) ? [] : [{ part: 'currency', fault, reason }]
}
