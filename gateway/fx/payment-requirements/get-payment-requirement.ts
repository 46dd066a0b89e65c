/** Returns the requirements of payments to a country, from the same rules that validate quotes and payments. */
import type { CountrySummary, PaymentRequirement, RegulatoryCodes } from '../../../contract/countries.ts'
import {
  isInformationRequired,
  MESSAGE_CHARACTERS_MAX,
  MESSAGE_PATTERN,
} from '../../countries/destinations/additional-information-validation.ts'
import { purposeList } from '../../countries/destinations/purpose-codes.ts'
import {
  type CountryRequirements,
  listedCountries,
  provenanceOf,
  requirementsOf,
} from '../../countries/destinations/requirements-table.ts'
import { ibanPattern } from '../../countries/iban.ts'
import { reportingTerms } from '../../countries/regulatory-reporting.ts'
import { SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { apiError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { formatMoney } from '../../platform/money.ts'
import { currencyRules } from '../availability/currency-rules.ts'

/** Cross-border payments always have a complete address. */
const ADDRESS_FIELDS = ['streetName', 'buildingNumber', 'city', 'postCode', 'country'] as const

/** The validation errors of the currency; none for an unknown or unsupported country. */
export function currencyErrors(country: string, currency: string | undefined): readonly ValidationError[] {
  const requirements = requirementsOf(country.toUpperCase())
  const accepted = requirements === undefined ? [] : payoutCurrenciesOf(requirements, undefined)
  if (requirements === undefined || currency === undefined || accepted.includes(currency)) {
    return []
  }
  const reason = `must be a payout currency of ${requirements.name}: ${accepted.join(', ')}`
  return [{ code: 'InvalidRequest', reason, path: '.currency' }]
}

/** `currency` must be valid; without one, requirements common to all currencies are returned. Throws `not-found`. */
export function paymentRequirementOf(countryCode: string, currency: string | undefined): PaymentRequirement {
  const country = countryCode.toUpperCase()
  const known = listedCountries.find((one) => one.country === country)
  if (known === undefined) {
    throw apiError('not-found', 'Unknown country')
  }
  const requirements = requirementsOf(country)
  const { name, supported } = known
  if (requirements === undefined) {
    return {
      country,
      name,
      supported,
      currencies: [],
      additionalInformation: [],
      notes: ['Payments to this country are not supported.'],
    }
  }
  const currencies = payoutCurrenciesOf(requirements, currency)
  return {
    country,
    name,
    supported,
    currencies: currencies.flatMap(currencyResponse),
    ...accountResponse(requirements),
    bic: { required: true },
    clearingCode: clearingCodeResponse(requirements),
    address: addressResponse(requirements),
    additionalInformation: requiredInformation(requirements, currencies),
    remittanceInformation: { maxLength: MESSAGE_CHARACTERS_MAX, pattern: MESSAGE_PATTERN },
    notes: [
      ...requirements.notes,
      ...(requirements.postCode === undefined ? ['The country has no post codes: send 00000.'] : []),
      ...provenanceOf(requirements),
    ],
  }
}

function payoutCurrenciesOf({ currencies }: CountryRequirements, currency: string | undefined): readonly string[] {
  return currencies.filter((one) => currencyRules(one) !== undefined && (currency === undefined || one === currency))
}

function currencyResponse(currency: string): PaymentRequirement['currencies'] {
  const rules = currencyRules(currency)
  return rules === undefined
    ? []
    : [{ currency, maxAmount: formatMoney(rules.maxAmount.dueToday), dueDateMaxDays: rules.dueDateMaxDays }]
}

function accountResponse({
  iban,
  local,
  clearingCode,
}: CountryRequirements): Pick<PaymentRequirement, 'account' | 'otherAccount'> {
  const localAccount = local === undefined ? undefined : { pattern: local.pattern, example: local.example }
  if (iban === undefined) {
    return localAccount === undefined ? {} : { account: { identifier: 'bban', ...localAccount } }
  }
  const account = { identifier: 'iban', pattern: ibanPattern(iban.slice(0, 2)), example: iban } as const
  return localAccount === undefined
    ? { account }
    : { account, otherAccount: { ...localAccount, clearingCodeRequired: clearingCode?.required === 'without-iban' } }
}

function clearingCodeResponse({ clearingCode }: CountryRequirements): NonNullable<PaymentRequirement['clearingCode']> {
  if (clearingCode === undefined) {
    return { required: false }
  }
  const { required, scheme, name, pattern, example } = clearingCode
  return { required: required === 'always', scheme, name, pattern, example }
}

function addressResponse({ address, postCode }: CountryRequirements): NonNullable<PaymentRequirement['address']> {
  const fields = { requiredFields: [...ADDRESS_FIELDS], bankFields: [...address] }
  return postCode === undefined
    ? fields
    : { ...fields, postCodePattern: postCode.pattern, postCodeExample: postCode.example }
}

/** Ordered by name; only currencies that can be exchanged. */
export function listCountries(): CountrySummary[] {
  return listedCountries.map(({ country, name, currencies, supported }) => ({
    country,
    name,
    currencies: currencies.filter((currency) => currencyRules(currency) !== undefined),
    supported,
  }))
}

/** Empty where the country requires no codes. Throws `not-found` for a country that we do not serve. */
export function listRegulatoryCodes(country: string): RegulatoryCodes {
  const countryCode = country.toUpperCase()
  const terms = reportingTerms(countryCode)
  if (terms !== undefined) {
    return {
      countryCode,
      threshold: formatMoney(terms.threshold),
      informationMaxLength: terms.informationMax,
      codes: terms.codes.map(({ code, description, local }) => ({ code, description, localDescription: local })),
    }
  }
  if (SERVED_COUNTRIES.includes(countryCode)) {
    return { countryCode, informationMaxLength: 0, codes: [] }
  }
  throw apiError('not-found', 'Payments from this country are not supported')
}

type RequiredInformation = PaymentRequirement['additionalInformation'][number]

/** An element is required if payments in at least one of the currencies require it. */
function requiredInformation(requirements: CountryRequirements, currencies: readonly string[]): RequiredInformation[] {
  const required: IsRequired = (type) =>
    currencies.some((currency) => isInformationRequired(type, { currency }, requirements))
  return [
    ...taxCode(requirements, required),
    ...reason(requirements, required),
    ...purpose(requirements, required, currencies),
  ]
}

type IsRequired = (type: RequiredInformation['type']) => boolean

function taxCode({ taxCode: rule }: CountryRequirements, required: IsRequired): RequiredInformation[] {
  if (rule === undefined) {
    return []
  }
  const { name, pattern, example } = rule
  return [{ type: 'TaxCode', required: required('TaxCode'), name, pattern, example, values: [] }]
}

function reason({ reason: rule }: CountryRequirements, required: IsRequired): RequiredInformation[] {
  return rule === undefined || !required('Reason')
    ? []
    : [{ type: 'Reason', required: true, pattern: MESSAGE_PATTERN, example: 'Invoice 20455', values: [] }]
}

function purpose(
  { purpose: rule }: CountryRequirements,
  required: IsRequired,
  currencies: readonly string[],
): RequiredInformation[] {
  if (rule === undefined) {
    return []
  }
  const { codes, form, other, example } = purposeList(rule.list)
  const pattern = form ?? other
  return [
    {
      type: 'Purpose',
      required: required('Purpose'),
      ...(rule.above === undefined || !currencies.includes(rule.above.currency) ? {} : { requiredAbove: rule.above }),
      ...(pattern === undefined ? {} : { pattern }),
      example,
      values: codes.map(({ code, description }) => ({ code, description })),
    },
  ]
}
