/** Shows partners what a payment to a country needs, by the rules that judge quotes and payments. */
import type { PaymentRequirement } from '../../../contract/countries.ts'
import {
  type CountryRequirements,
  countriesKnown,
  provenanceOf,
  requirementsOf,
} from '../../countries/destinations/country-requirements.ts'
import { ibanPattern } from '../../countries/iban.ts'
import { MESSAGE_CHARACTERS_MAX, MESSAGE_PATTERN } from '../../countries/requirements/destination-message.ts'
import { type Problem, refuse } from '../../platform/http/errors/api-error.ts'
import { printMoney } from '../../platform/money.ts'
import { currencyRules } from '../availability/currency-rules.ts'
import { informationRequired } from './required-information.ts'

/** Cross-border payments hold a whole address whatever the country. */
const ADDRESS_FIELDS = ['streetName', 'buildingNumber', 'city', 'postCode', 'country'] as const

/** What is wrong with the currency asked for; nothing where the country is not known or not paid to. */
export function currencyProblems(country: string, currency: string | undefined): readonly Problem[] {
  const requirements = requirementsOf(country.toUpperCase())
  if (requirements === undefined || currency === undefined || paidIn(requirements, undefined).includes(currency)) {
    return []
  }
  const reason = `is not one that receivers in ${requirements.name} are paid in: ${paidIn(requirements, undefined).join(', ')}`
  return [{ code: 'InvalidRequest', reason, path: '.currency' }]
}

/** Takes a currency that receivers there are paid in, or none for what is needed in every one. */
export function showPaymentRequirement(asked: string, currency: string | undefined): PaymentRequirement {
  const country = asked.toUpperCase()
  const known = countriesKnown.find((one) => one.country === country)
  if (known === undefined) {
    throw refuse('not-found', 'Nothing is known of payments to this country')
  }
  const requirements = requirementsOf(country)
  const { name, supported } = known
  if (requirements === undefined) {
    return { country, name, supported, currencies: [], additionalInformation: [], notes: ['Nothing is paid there.'] }
  }
  const currencies = paidIn(requirements, currency)
  return {
    country,
    name,
    supported,
    currencies: currencies.flatMap(showCurrency),
    ...showAccount(requirements),
    bic: { required: true },
    clearingCode: showClearingCode(requirements),
    address: showAddress(requirements),
    additionalInformation: informationRequired(requirements, currencies),
    remittanceInformation: { maxLength: MESSAGE_CHARACTERS_MAX, pattern: MESSAGE_PATTERN },
    notes: [...requirements.notes, ...noteOnPostCodes(requirements), ...provenanceOf(requirements)],
  }
}

function paidIn({ currencies }: CountryRequirements, currency: string | undefined): readonly string[] {
  return currencies.filter((one) => currencyRules(one) !== undefined && (currency === undefined || one === currency))
}

function showCurrency(currency: string): PaymentRequirement['currencies'] {
  const rules = currencyRules(currency)
  return rules === undefined
    ? []
    : [{ currency, maxAmount: printMoney(rules.maxAmount.dueToday), dueDateMaxDays: rules.dueDateMaxDays }]
}

function showAccount({
  iban,
  local,
  clearingCode,
}: CountryRequirements): Pick<PaymentRequirement, 'account' | 'otherAccount'> {
  const own = local === undefined ? undefined : { pattern: local.pattern, example: local.example }
  if (iban === undefined) {
    return own === undefined ? {} : { account: { identifier: 'bban', ...own } }
  }
  const account = { identifier: 'iban', pattern: ibanPattern(iban.slice(0, 2)), example: iban } as const
  return own === undefined
    ? { account }
    : { account, otherAccount: { ...own, clearingCodeRequired: clearingCode?.required === 'without-iban' } }
}

function showClearingCode({ clearingCode }: CountryRequirements): NonNullable<PaymentRequirement['clearingCode']> {
  if (clearingCode === undefined) {
    return { required: false }
  }
  const { required, scheme, name, pattern, example } = clearingCode
  return { required: required === 'always', scheme, name, pattern, example }
}

function showAddress({ address, postCode }: CountryRequirements): NonNullable<PaymentRequirement['address']> {
  const fields = { requiredFields: [...ADDRESS_FIELDS], bankFields: [...address] }
  return postCode === undefined
    ? fields
    : { ...fields, postCodePattern: postCode.pattern, postCodeExample: postCode.example }
}

function noteOnPostCodes({ postCode }: CountryRequirements): readonly string[] {
  return postCode === undefined ? ['There are no post codes: write 00000.'] : []
}
