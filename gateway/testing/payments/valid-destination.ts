/** Builds destinations abroad that meet the requirements of their country, for tests that invalidate one field. */

import type { Destination } from '../../countries/destinations/destination.ts'
import { purposeList } from '../../countries/destinations/purpose-codes.ts'
import type { CountryRequirements } from '../../countries/destinations/requirements-table.ts'

/** BICs of national tables, which cause no warning about an unknown bank. */
const bicByCountry: Readonly<Record<string, string>> = {
  NO: 'DABANO22',
  SE: 'ESSESESS',
  DK: 'NDEADKKK',
  FI: 'NDEAFIHH',
}

/** With an IBAN where the country has one; `currency` defaults to the first accepted one. */
export function validDestination(requirements: CountryRequirements, currency?: string): Destination {
  const { country, iban, postCode, currencies } = requirements
  const bankCountry = iban?.slice(0, 2) ?? country
  return {
    account: {
      ...(iban === undefined ? localAccount(requirements) : { iban }),
      bic: bicByCountry[bankCountry] ?? `HAVN${bankCountry}2X`,
    },
    address: {
      country,
      city: 'Town',
      streetName: 'Main Street',
      buildingNumber: '12',
      postCode: postCode?.example ?? '00000',
    },
    currency: currency ?? currencies[0] ?? '',
    additionalInformation: informationOf(requirements),
    message: 'Invoice 20455',
  }
}

/** The same with the domestic account number instead of an IBAN; undefined where there is none. */
export function validLocalDestination(requirements: CountryRequirements): Destination | undefined {
  const { country, local } = requirements
  const account = { ...localAccount(requirements), bic: `HAVN${country}2X` }
  return local === undefined ? undefined : { ...validDestination(requirements), account }
}

function localAccount({ local, clearingCode }: CountryRequirements) {
  return {
    bban: local?.example ?? '',
    ...(clearingCode === undefined ? {} : { clearingCode: clearingCode.example }),
  }
}

function informationOf({ taxCode, reason, purpose }: CountryRequirements): Destination['additionalInformation'] {
  return [
    ...(taxCode === undefined ? [] : [{ type: 'TaxCode', value: taxCode.example } as const]),
    ...(reason === undefined ? [] : [{ type: 'Reason', value: 'Invoice 20455' } as const]),
    ...(purpose === undefined ? [] : [{ type: 'Purpose', value: purposeList(purpose.list).example } as const]),
  ]
}
