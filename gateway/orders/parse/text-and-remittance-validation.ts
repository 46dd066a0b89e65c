/** Validates names, addresses, ids and remittance information of a domestic payment: lengths and characters. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { sendableAddress } from '../../banks/connector/bank-order.ts'
import { endToEndIdFor } from '../../banks/connector/shorten-end-to-end-id.ts'
import { isCountryCode } from '../../countries/bic.ts'
import {
  ADDRESS_LENGTHS,
  debtorReferenceMax,
  describeUnsupportedCharacter,
  findCharacterUnsupportedIn,
  findCharacterUnsupportedInId,
} from '../../countries/character-sets.ts'
import type { DomesticPaymentParts } from './domestic-payment-parts.ts'
import type { OrderLimits } from './domestic-rules.ts'
import type { Ordered, RuleResult, ValidationContext } from './validation-context.ts'

type AddressField = keyof typeof ADDRESS_LENGTHS

type OfBank = Pick<ValidationContext, 'bank'>
type OfRail = OfBank & { readonly limits: OrderLimits }

export function checkCreditorName({ ordered: { to } }: Ordered<'to'>, { bank, limits }: OfRail): RuleResult {
  return checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax)
}

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
  const isSent = side === 'to' && bank.supports.creditorAddress && sendableAddress(address) !== undefined
  return isSent ? checkText(bank, text) : undefined
}

export function checkAddressCountry(country: string | undefined): RuleResult {
  return country === undefined || isCountryCode(country)
    ? undefined
    : { code: 'InvalidRequest', reason: `${country} is not an ISO 3166-1 country code` }
}

/** Validates the part of the endToEndId that is sent to the bank. */
export function checkEndToEndId({ ordered: { metadata } }: Ordered<'metadata'>, { bank }: OfBank): RuleResult {
  const sent = endToEndIdFor(metadata.endToEndId, bank.supports)
  if (sent === null) {
    return undefined
  }
  return checkText(bank, sent, findCharacterUnsupportedInId)
}

/** Rejects the first character that the bank, or the payments of its country, do not support. */
function checkText({ profile, countryCode }: Bank, text: string, find = findCharacterUnsupportedIn): RuleResult {
  const unsupported = find(countryCode, text, profile.constraints.validInformationFieldCharactersPattern)
  return unsupported && { code: 'InvalidCharacters', reason: describeUnsupportedCharacter(unsupported) }
}

/** Validates a message by the limits of bank and rail, or a reference by the rules of its country. */
export function checkRemittance(
  { ordered, reference }: Pick<DomesticPaymentParts, 'ordered' | 'reference'>,
  { bank, limits }: OfRail,
): RuleResult {
  const remittance = ordered.remittanceInformation
  if (remittance?.type === 'message') {
    return checkMessage(remittance.value, bank, limits, '.remittanceInformation.value')
  }
  const path = remittance?.type === 'ocr' ? '.remittanceInformation.value' : '.remittanceInformation'
  return reference?.ok === false ? invalid(`The reference ${reference.reason}`, path) : undefined
}

/** Validates the additional text: that on a payment form, or the debtor's own text with a message. */
export function checkAdditionalText(
  { ordered: { remittanceInformation: remittance } }: Ordered<'remittanceInformation'>,
  { bank, limits }: OfRail,
): RuleResult {
  switch (remittance?.type) {
    case 'message': {
      const max = debtorReferenceMax(bank.countryCode)
      const limit = { max, text: `banks of ${bank.countryCode} accept at most ${max}` }
      const path = '.remittanceInformation.debtorReference'
      return checkLine(bank, 'The sender’s own text', remittance.debtorReference ?? '', { limit, path })
    }
    case 'fik': {
      const message = 'message' in remittance ? remittance.message : undefined
      return message === undefined ? undefined : checkMessage(message, bank, limits, '.remittanceInformation.message')
    }
    default:
      return undefined
  }
}

function checkMessage(text: string, bank: Bank, { messageMax, isToOtherBank }: OrderLimits, path: string): RuleResult {
  const where = isToOtherBank ? ' in payments to other banks' : ''
  const limit = { max: messageMax, text: `${bank.name} accepts at most ${messageMax}${where}` }
  return checkLine(bank, 'The message', text, { limit, path })
}

function checkLine(
  bank: Bank,
  name: string,
  text: string,
  { limit, path }: { readonly limit: { readonly max: number; readonly text: string }; readonly path: string },
): RuleResult {
  const { length } = [...text]
  if (length > limit.max) {
    return invalid(`${name} has ${length} characters; ${limit.text}`, path)
  }
  const unsupported = checkText(bank, text)
  return unsupported && { ...unsupported, path }
}

function invalid(reason: string, path: string): RuleResult {
  return { code: 'InvalidRemittanceInfo', reason, path }
}
