/** Judges what a country demands to be told of a payment: purpose, reason, and the receiver's tax code. */
import { parseMoney } from '../../platform/money.ts'
import type { Checked } from '../country.ts'
import { whyNotTold } from '../requirements/destination-message.ts'
import type { CountryRequirements } from './country-requirements.ts'
import {
  type Destination,
  doubtful,
  type Findings,
  type InformationType,
  NOTHING_FOUND,
  together,
  wrong,
} from './destination.ts'
import { checkPurposeCode, purposeList } from './purpose-codes.ts'
import { checkTaxCode } from './tax-codes.ts'

const TYPES = ['TaxCode', 'Reason', 'Purpose'] as const satisfies readonly InformationType[]

/** `requirements` are those of the country of the receiver's bank. */
export function judgeInformation(destination: Destination, requirements: CountryRequirements): Findings {
  const given = destination.additionalInformation.map(({ type, value }, index) =>
    destination.additionalInformation.slice(0, index).some((earlier) => earlier.type === type)
      ? twice(type, index)
      : judgeValue(type, value, index, requirements),
  )
  const missing = TYPES.filter(
    (type) =>
      isDemanded(type, destination, requirements) &&
      !destination.additionalInformation.some((told) => told.type === type),
  )
  return together([...given, ...missing.map((type) => absent(type, requirements))])
}

/** Whether the country demands it of this payment. */
export function isDemanded(
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

/** Whether payments to the country have a place for it; what they have none for is not sent on. */
export function isCarried(type: InformationType, { purpose, taxCode }: CountryRequirements): boolean {
  return { TaxCode: taxCode !== undefined, Purpose: purpose !== undefined, Reason: true }[type]
}

/** The value as it is sent on, or why it is none; what the country does not ask for is not looked at. */
export function checkInformation(
  type: InformationType,
  value: string,
  { purpose, taxCode }: CountryRequirements,
): Checked<'value'> {
  switch (type) {
    case 'TaxCode':
      return taxCode === undefined ? { ok: true, value } : named(checkTaxCode(value, taxCode), 'taxCode')
    case 'Purpose':
      return purpose === undefined
        ? { ok: true, value }
        : named(checkPurposeCode(value, purposeList(purpose.list)), 'purpose')
    case 'Reason': {
      const reason = value.trim() === '' ? 'is blank' : whyNotTold(value.trim())
      return reason === undefined ? { ok: true, value: value.trim() } : { ok: false, reason }
    }
  }
}

function judgeValue(type: InformationType, value: string, index: number, requirements: CountryRequirements): Findings {
  const place = { part: 'additionalInformation', index } as const
  if (!isCarried(type, requirements)) {
    const reason = `is a ${type}, which payments to ${requirements.name} do not carry: left out`
    return doubtful({ ...place, reason })
  }
  const checked = checkInformation(type, value, requirements)
  if (!checked.ok) {
    return wrong({ ...place, fault: { kind: 'information-malformed', type }, reason: checked.reason })
  }
  return checked.warning === undefined ? NOTHING_FOUND : doubtful({ ...place, reason: checked.warning })
}

function twice(type: InformationType, index: number): Findings {
  const reason = `is a second ${type}; a payment has one`
  return wrong({ part: 'additionalInformation', index, fault: { kind: 'information-twice', type }, reason })
}

function absent(type: InformationType, { name }: CountryRequirements): Findings {
  const reason = `holds no ${type}, which payments to ${name} need`
  return wrong({ part: 'additionalInformation', fault: { kind: 'information-missing', type }, reason })
}

function named<Name extends string>(checked: Checked<Name>, name: Name): Checked<'value'> {
  return checked.ok ? { ...checked, value: checked[name] } : checked
}

function isAmong(currencies: readonly string[] | undefined, currency: string): boolean {
  return currencies === undefined || currencies.includes(currency)
}

/** An amount that is not told, or is in another currency, is below every limit: it is not known to be above. */
function isAboveLimit(
  amount: Destination['amount'],
  above: { readonly amount: string; readonly currency: string } | undefined,
): boolean {
  const limit = above === undefined ? undefined : parseMoney(above.amount, above.currency)
  return (
    limit === undefined || (amount !== undefined && amount.currency === limit.currency && amount.minor > limit.minor)
  )
}
