/** Validates names, addresses and ids of a domestic payment: lengths and characters. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { sendableAddress } from '../../banks/connector/bank-order.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { supportedOrderFields } from '../../banks/directory/supported-order-fields.ts'
import { isCountryCode } from '../../countries/bic.ts'
import { findCharacterUnsupportedIn, findCharacterUnsupportedInId } from '../../countries/character-sets.ts'
import { ADDRESS_LENGTHS } from '../../countries/field-lengths.ts'
import { describeUnsupportedCharacter, type UnsupportedCharacter } from '../../countries/unsupported-characters.ts'
import type { RuleResult } from './validation-context.ts'

export type AddressField = keyof typeof ADDRESS_LENGTHS

/** Some rails have a lower limit for names of creditors. */
export function checkName(bank: Bank, name: string, role: 'Sender' | 'Recipient', railMax: number | null): RuleResult {
  const max = railMax ?? bank.profile.constraints.maxInformationFieldLength
  const length = [...name].length
  if (length > max) {
    return { code: `${role}NameTooLong`, reason: `has ${length} characters; ${bank.name} accepts at most ${max}` }
  }
  return checkText(bank, name)
}

/** Validates an address field, which may be missing. Characters matter where the address is sent to the bank. */
export function checkAddressField(
  bank: Bank,
  side: 'from' | 'to',
  field: AddressField,
  address: DomesticPayment['to']['contactInformation']['address'],
): RuleResult {
  const text = address?.[field] ?? ''
  const [max, length] = [ADDRESS_LENGTHS[field], [...text].length]
  if (length > max) {
    return { code: 'InvalidRequest', reason: `has ${length} characters; banks accept at most ${max}` }
  }
  const isSent = side === 'to' && supportedOrderFields(bank).creditorAddress && sendableAddress(address) !== undefined
  return isSent ? checkText(bank, text) : undefined
}

export function checkAddressCountry(country: string | undefined): RuleResult {
  return country === undefined || isCountryCode(country)
    ? undefined
    : { code: 'InvalidRequest', reason: `${country} is not an ISO 3166-1 country code` }
}

/** Validates the part of the endToEndId that is sent to the bank. */
export function checkEndToEndId(bank: Bank, endToEndId: string): RuleResult {
  const sent = supportedOrderFields(bank).endToEndId(endToEndId)
  if (sent === null) {
    return undefined
  }
  const { profile, countryCode } = bank
  return charactersResult(
    findCharacterUnsupportedInId(countryCode, sent, profile.constraints.validInformationFieldCharactersPattern),
  )
}

/** Rejects the first character that the bank, or the payments of its country, do not support. */
export function checkText({ profile, countryCode }: Bank, text: string): RuleResult {
  return charactersResult(
    findCharacterUnsupportedIn(countryCode, text, profile.constraints.validInformationFieldCharactersPattern),
  )
}

function charactersResult(unsupported: UnsupportedCharacter | undefined): RuleResult {
  return unsupported === undefined
    ? undefined
    : { code: 'InvalidCharacters', reason: describeUnsupportedCharacter(unsupported) }
}
