/** Judges where a payment abroad goes by the rules of the receiver's country, and of the country of its bank. */

import { accountCountryOf, bicCountryOf, judgeAccount } from '../destinations/account-validation.ts'
import { judgeInformation } from '../destinations/additional-information-validation.ts'
import { judgeAddress } from '../destinations/address-validation.ts'
import { type CountryRequirements, requirementsOf } from '../destinations/country-requirements.ts'
import {
  type Destination,
  type DestinationProblem,
  type DestinationWarning,
  type Findings,
  NOTHING_FOUND,
  together,
  wrong,
} from '../destinations/destination.ts'
import { judgeMessage } from './destination-message.ts'

/** Everything that keeps a payment from arriving, in the order of the parts; none when it may be sent. */
export function destinationProblems(destination: Destination): readonly DestinationProblem[] {
  return judge(destination).problems
}

/** What looks wrong though payments like it have arrived. */
export function destinationWarnings(destination: Destination): readonly DestinationWarning[] {
  return judge(destination).warnings
}

/**
 * Account, currency and information go by the country of the account, whose banks pay by its rules; the post code by that
 * of the receiver. Where nothing is paid, nothing else is said of that country.
 */
function judge(destination: Destination): Findings {
  const bankCountry = accountCountryOf(destination)
  const ofBank = requirementsOf(bankCountry)
  const ofReceiver = requirementsOf(destination.address.country)
  return together([
    judgeBankCountry(destination, bankCountry),
    judgeAccount(destination, ofBank),
    ofReceiver === undefined
      ? unsupported('address.country', destination.address.country)
      : judgeAddress(destination, ofBank ?? ofReceiver, ofReceiver),
    ofBank === undefined ? NOTHING_FOUND : judgeCurrency(destination, ofBank),
    ofBank === undefined ? NOTHING_FOUND : judgeInformation(destination, ofBank),
    judgeMessage(destination.message),
  ])
}

/** Also where the IBAN is of another country: nothing goes to a bank in a country that nothing is paid to. */
function judgeBankCountry({ account, address }: Destination, bankCountry: string): Findings {
  const country = bicCountryOf(account.bic) ?? bankCountry
  return requirementsOf(country) === undefined && country !== address.country
    ? unsupported('bic', country)
    : NOTHING_FOUND
}

function unsupported(part: 'bic' | 'address.country', country: string): Findings {
  const reason = `is of ${country}, to which nothing is paid`
  return wrong({ part, fault: { kind: 'country-unsupported', country }, reason })
}

function judgeCurrency({ currency }: Destination, { name, currencies }: CountryRequirements): Findings {
  return currencies.includes(currency)
    ? NOTHING_FOUND
    : wrong({
        part: 'currency',
        fault: { kind: 'currency-not-accepted', accepted: currencies },
        reason: `is not one that receivers in ${name} are paid in: ${currencies.join(', ')}`,
      })
}
