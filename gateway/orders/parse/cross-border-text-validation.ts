/** Validates names, addresses and ids of a cross-border payment: lengths and characters. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { endToEndIdFor } from '../../banks/connector/shorten-end-to-end-id.ts'
import {
  debtorReferenceMax,
  describeUnsupportedCharacter,
  findCharacterUnsupportedInSepa,
  NAME_LENGTH_WITH_EXCHANGE,
  transliterate,
} from '../../countries/character-sets.ts'
import { addressTextError } from '../../countries/destinations/address-validation.ts'
import type { CrossBorderParts } from './cross-border-parts.ts'
import { checkEndToEndId as checkDomesticEndToEndId } from './text-and-remittance-validation.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** What is sent has no invisible characters, of which a text may consist. */
const BLANK = 'is blank'

type Address = CrossBorderPayment['to']['contactInformation']['address']

/**
 * Applies the limits of the FX provider to payments with exchange and those of the bank to others. Letters with a SWIFT
 * spelling are transliterated before the payment is sent.
 */
export function checkName(
  { ordered, requiresExchange }: CrossBorderParts,
  { name: bankName, profile }: Bank,
  side: 'from' | 'to',
): RuleResult {
  const { name } = ordered[side].contactInformation
  const bankMax = profile.constraints.maxInformationFieldLength
  const [max, taker] = requiresExchange ? [NAME_LENGTH_WITH_EXCHANGE, 'payments with exchange'] : [bankMax, bankName]
  const sent = transliterate(name)
  const { length } = [...sent]
  if (sent.trim() === '') {
    return invalid(BLANK)
  }
  return length > max
    ? invalid(`has ${length} characters; ${taker === bankName ? `${taker} takes` : `${taker} take`} ${max}`)
    : checkUnchanged(sent)
}

/**
 * Validates an address field. Characters matter where the address is transmitted: the creditor's always, the debtor's
 * with exchange.
 */
export function checkAddressText(
  { ordered, requiresExchange }: CrossBorderParts,
  side: 'from' | 'to',
  field: keyof Address,
): RuleResult {
  const code = side === 'to' ? 'InvalidToAddress' : 'InvalidRequest'
  const travels = side === 'to' || requiresExchange
  const reason = addressTextError(field, ordered[side].contactInformation.address[field], { travels })
  return reason === undefined ? undefined : { code, reason }
}

/** Validates the part of the endToEndId that is sent to the bank; with exchange in the domestic order that funds it. */
export function checkEndToEndId(
  { ordered, requiresExchange }: CrossBorderParts,
  { bank }: ValidationContext,
): RuleResult {
  if (requiresExchange) {
    const ofFunding = checkDomesticEndToEndId({ ordered }, { bank })
    return ofFunding && invalid(ofFunding.reason)
  }
  const { crossBorder } = bank.supports
  const sent = crossBorder === undefined ? null : endToEndIdFor(ordered.metadata.endToEndId, crossBorder)
  return sent === null ? undefined : checkUnchanged(sent)
}

/** Validates the length of the message at the bank; with exchange the FX provider transmits it. */
export function checkMessage(
  { message = '', ordered, requiresExchange }: CrossBorderParts,
  { bank: { name, profile } }: ValidationContext,
): RuleResult {
  if (transliterate(ordered.remittanceInformation.message).trim() === '') {
    return { ...invalid(BLANK), path: '.remittanceInformation.message' }
  }
  const [max, length] = [profile.crossBorder?.messageMax, [...message].length]
  return requiresExchange || max === undefined || length <= max
    ? undefined
    : {
        ...invalid(
          `has ${length} characters with the required additional information; ${name} accepts at most ${max} in cross-border payments`,
        ),
        path: '.remittanceInformation.message',
      }
}

/** Validates the text that only the debtor's bank shows. */
export function checkDebtorReference(
  {
    ordered: {
      remittanceInformation: { debtorReference },
    },
  }: CrossBorderParts,
  { bank: { countryCode } }: ValidationContext,
): RuleResult {
  const [max, length] = [debtorReferenceMax(countryCode), [...(debtorReference ?? '')].length]
  if (length > max) {
    return invalid(`has ${length} characters; banks of ${countryCode} accept at most ${max}`)
  }
  return checkUnchanged(debtorReference ?? '')
}

function checkUnchanged(text: string): RuleResult {
  const unsupported = findCharacterUnsupportedInSepa(text)
  return unsupported === undefined ? undefined : invalid(describeUnsupportedCharacter(unsupported))
}

function invalid(reason: string): NonNullable<RuleResult> {
  return { code: 'InvalidRequest', reason }
}
