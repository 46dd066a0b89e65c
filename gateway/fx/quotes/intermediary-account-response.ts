/** Renders the provider's account to which the cost of an exchange is paid; every field of the contract is filled. */
import type { QuoteAccount } from '../../../contract/fx/fx-operations.ts'
import { bbanOf, clearingCodeOf, ibanOf } from '../../countries/account-number.ts'
import type { HolderAddress, IntermediaryAccount } from '../providers/beneficiary.ts'

/** Placeholder for parts of the address that the provider does not give. */
const UNKNOWN = '-'

/** A missing IBAN or BBAN is derived from the other one, a missing clearing code from the BBAN. */
export function intermediaryAccountResponse(intermediary: IntermediaryAccount): QuoteAccount {
  const { country, iban, bban, bic, clearingCode, holder } = intermediary
  const derivedBban = iban === null ? undefined : bbanOf(iban)
  const domestic = bban ?? (derivedBban?.ok === true ? derivedBban.bban : '')
  const clearing = clearingCode ?? clearingCodeOf(country, domestic)
  return {
    account: {
      iban: iban ?? (bban === null ? '' : (ibanOf(country, bban) ?? '')),
      bban: domestic,
      bic: bic ?? '',
      ...(clearing === undefined ? {} : { clearingCode: clearing }),
    },
    contactInformation: { name: holder.name, address: addressOf(holder.address, country) },
  }
}

function addressOf(
  { street, city, postCode, country }: HolderAddress,
  fundingCountry: string,
): QuoteAccount['contactInformation']['address'] {
  return {
    ...streetOf(street ?? ''),
    city: city ?? UNKNOWN,
    postCode: postCode ?? UNKNOWN,
    country: country ?? fundingCountry,
  }
}

/** Providers write the building number before or after the street. */
function streetOf(street: string): { readonly streetName: string; readonly buildingNumber: string } {
  const ahead = /^([0-9]+[A-Za-z]?)[ ,]+([^ ,].*)$/.exec(street)
  const behind = /^(.*[^ ,])[ ,]+([0-9]+ ?[A-Za-z]?)$/.exec(street)
  const [streetName = street, buildingNumber = ''] = ahead ? [ahead[2], ahead[1]] : behind ? behind.slice(1) : []
  return { streetName: streetName || UNKNOWN, buildingNumber: buildingNumber || UNKNOWN }
}
