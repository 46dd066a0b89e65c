/** Validates the additional information that a country requires: purpose, reason, and the receiver's tax code. */
import { parseMoney } from '../../platform/money.ts'
import { describeUnsupportedCharacter, findCharacterUnsupportedInSepa, transliterate } from '../character-sets.ts'
import type { CheckResult } from '../country.ts'
import type { Destination, Finding, InformationType } from './destination.ts'
import { checkPurposeCode, purposeList } from './purpose-codes.ts'
import type { CountryRequirements } from './requirements-table.ts'
import { checkTaxCode } from './tax-codes.ts'

/** Field 70 of SWIFT's payment messages: four lines of 35 characters. */
export const MESSAGE_CHARACTERS_MAX = 140

/** Matching messages are sent unchanged; others may be transliterated, as ø to oe. Usable as `pattern` of a form. */
export const MESSAGE_PATTERN = `^(?! *$)(?! *\\/)(?!.*\\/\\/)(?!.*\\/ *$)[a-zA-Z0-9\\/\\-?:\\(\\).,'+ ]{1,${MESSAGE_CHARACTERS_MAX}}$`

/** Returns why a text cannot be sent, completing "It …"; undefined if it can. */
export function messageUnsupportedReason(text: string): string | undefined {
  const sent = transliterate(text)
  if (sent.trim() === '') {
    return 'is blank'
  }
  const unsupported = findCharacterUnsupportedInSepa(sent)
  if (unsupported !== undefined) {
    return describeUnsupportedCharacter(unsupported).replace(
      'which the bank does not accept',
      'which payments abroad do not accept',
    )
  }
  return sent.length > MESSAGE_CHARACTERS_MAX
    ? `has ${sent.length} characters; payments abroad accept at most ${MESSAGE_CHARACTERS_MAX}`
    : undefined
}

export function validateMessage(message: string | undefined): readonly Finding[] {
  const reason = message === undefined ? undefined : messageUnsupportedReason(message)
  return reason === undefined ? [] : [{ part: 'message', fault: { kind: 'message-malformed' }, reason }]
}

const TYPES = ['TaxCode', 'Reason', 'Purpose'] as const satisfies readonly InformationType[]

/** `requirements` are those of the country of the receiver's bank. */
export function validateInformation(destination: Destination, requirements: CountryRequirements): readonly Finding[] {
  const given = destination.additionalInformation.flatMap(({ type, value }, index) =>
    destination.additionalInformation.slice(0, index).some((earlier) => earlier.type === type)
      ? duplicateError(type, index)
      : validateInformationValue(type, value, index, requirements),
  )
  const missing = TYPES.filter(
    (type) =>
      isInformationRequired(type, destination, requirements) &&
      !destination.additionalInformation.some((element) => element.type === type),
  )
  return [...given, ...missing.flatMap((type) => missingError(type, requirements))]
}

/** Whether the country requires this type for a payment. */
export function isInformationRequired(
  type: InformationType,
  { currency, amount }: Pick<Destination, 'currency' | 'amount'>,
  { purpose, reason, taxCode }: CountryRequirements,
): boolean {
  switch (type) {
    case 'TaxCode':
      return taxCode?.required === true
    case 'Reason':
      return reason !== undefined && isAmong(reason.currencies, currency)
    case 'Purpose':
      return purpose?.required === true && isAmong(purpose.currencies, currency) && isAboveLimit(amount, purpose.above)
  }
}

/** Whether payments to the country support this type; unsupported ones are not sent. */
export function isInformationSupported(type: InformationType, { purpose, taxCode }: CountryRequirements): boolean {
  return { TaxCode: taxCode !== undefined, Purpose: purpose !== undefined, Reason: true }[type]
}

/** The normalised value, or why it is invalid; types that the country does not use are not checked. */
export function checkInformation(
  type: InformationType,
  value: string,
  { purpose, taxCode }: CountryRequirements,
): CheckResult<'value'> {
  switch (type) {
    case 'TaxCode':
      return taxCode === undefined ? { ok: true, value } : withValue(checkTaxCode(value, taxCode), 'taxCode')
    case 'Purpose':
      return purpose === undefined
        ? { ok: true, value }
        : withValue(checkPurposeCode(value, purposeList(purpose.list)), 'purpose')
    case 'Reason': {
      const reason = messageUnsupportedReason(value.trim())
      return reason === undefined ? { ok: true, value: value.trim() } : { ok: false, reason }
    }
  }
}

function validateInformationValue(
  type: InformationType,
  value: string,
  index: number,
  requirements: CountryRequirements,
): readonly Finding[] {
  const location = { part: 'additionalInformation', index } as const
  if (!isInformationSupported(type, requirements)) {
    const reason = `is a ${type}, which payments to ${requirements.name} do not support; it is ignored`
    return [{ ...location, reason }]
  }
  const checked = checkInformation(type, value, requirements)
  if (!checked.ok) {
    return [{ ...location, fault: { kind: 'information-malformed', type }, reason: checked.reason }]
  }
  return checked.warning === undefined ? [] : [{ ...location, reason: checked.warning }]
}

function duplicateError(type: InformationType, index: number): readonly Finding[] {
  const reason = `is a second ${type}; a payment has at most one`
  return [{ part: 'additionalInformation', index, fault: { kind: 'information-twice', type }, reason }]
}

function missingError(type: InformationType, { name }: CountryRequirements): readonly Finding[] {
  const reason = `contains no ${type}, which payments to ${name} require`
  return [{ part: 'additionalInformation', fault: { kind: 'information-missing', type }, reason }]
}

function withValue<Name extends string>(checked: CheckResult<Name>, name: Name): CheckResult<'value'> {
  return checked.ok ? { ...checked, value: checked[name] } : checked
}

function isAmong(currencies: readonly string[] | undefined, currency: string): boolean {
  return currencies === undefined || currencies.includes(currency)
}

/** An unknown amount, or one in another currency, counts as below the limit. */
function isAboveLimit(
  amount: Destination['amount'],
  above: { readonly amount: string; readonly currency: string } | undefined,
): boolean {
  const limit = above === undefined ? undefined : parseMoney(above.amount, above.currency)
  return (
    limit === undefined || (amount !== undefined && amount.currency === limit.currency && amount.minor > limit.minor)
  )
}
