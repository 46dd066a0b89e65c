/** Shows the provider's account to which the cost of an exchange is paid, with every part that partners are promised. */
import type { QuoteAccount } from '../../../contract/fx/fx-operations.ts'
import { bbanOf, ibanOf } from '../../countries/account-number.ts'
import type { HolderAddress, IntermediaryAccount } from '../providers/beneficiary.ts'

/** A clearing code is shown where the account has one. */
type IntermediaryShown = QuoteAccount & { readonly account: { readonly clearingCode?: string } }

/** Where the provider does not tell a part of its address. */
const UNKNOWN = '-'

/** Of the two numbers, one follows from the other. */
export function showIntermediary(intermediary: IntermediaryAccount): IntermediaryShown {
  const { country, iban, bban, bic, clearingCode, holder } = intermediary
  const inside = iban === null ? undefined : bbanOf(iban)
  return {
    account: {
      iban: iban ?? (bban === null ? '' : (ibanOf(country, bban) ?? '')),
      bban: bban ?? (inside?.ok === true ? inside.bban : ''),
      bic: bic ?? '',
      ...(clearingCode === null ? {} : { clearingCode }),
    },
    contactInformation: { name: holder.name, address: addressOf(holder.address, country) },
  }
}

function addressOf(
  { street, city, postCode, country }: HolderAddress,
  countryPaidFrom: string,
): QuoteAccount['contactInformation']['address'] {
  return {
    ...streetOf(street ?? ''),
    city: city ?? UNKNOWN,
    postCode: postCode ?? UNKNOWN,
    country: country ?? countryPaidFrom,
  }
}

/** Providers write a street with its number, before or behind it. */
function streetOf(street: string): { readonly streetName: string; readonly buildingNumber: string } {
  const ahead = /^([0-9]+[A-Za-z]?)[ ,]+(.+)$/.exec(street)
  const behind = /^(.+?)[ ,]+([0-9]+ ?[A-Za-z]?)$/.exec(street)
  const [streetName = street, buildingNumber = ''] = ahead ? [ahead[2], ahead[1]] : behind ? behind.slice(1) : []
  return { streetName: streetName || UNKNOWN, buildingNumber: buildingNumber || UNKNOWN }
}
