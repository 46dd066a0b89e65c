/** Shows what a country demands to be told of a payment beside the receiver: tax code, reason, purpose. */
import type { PaymentRequirement } from '../../../contract/countries.ts'
import { isDemanded } from '../../countries/destinations/additional-information-validation.ts'
import type { CountryRequirements } from '../../countries/destinations/country-requirements.ts'
import { purposeList } from '../../countries/destinations/purpose-codes.ts'
import { MESSAGE_PATTERN } from '../../countries/requirements/destination-message.ts'

type InformationRequired = PaymentRequirement['additionalInformation'][number]

/** Required is what every payment in one of the currencies needs at least. */
export function informationRequired(
  requirements: CountryRequirements,
  currencies: readonly string[],
): InformationRequired[] {
  const required: IsRequired = (type) => currencies.some((currency) => isDemanded(type, { currency }, requirements))
  return [
    ...taxCode(requirements, required),
    ...reason(requirements, required),
    ...purpose(requirements, required, currencies),
  ]
}

type IsRequired = (type: InformationRequired['type']) => boolean

function taxCode({ taxCode: told }: CountryRequirements, required: IsRequired): InformationRequired[] {
  if (told === undefined) {
    return []
  }
  const { name, pattern, example } = told
  return [{ type: 'TaxCode', required: required('TaxCode'), name, pattern, example, values: [] }]
}

function reason({ reason: told }: CountryRequirements, required: IsRequired): InformationRequired[] {
  return told === undefined || !required('Reason')
    ? []
    : [{ type: 'Reason', required: required('Reason'), pattern: MESSAGE_PATTERN, example: 'Invoice 20455', values: [] }]
}

function purpose(
  { purpose: told }: CountryRequirements,
  required: IsRequired,
  currencies: readonly string[],
): InformationRequired[] {
  if (told === undefined) {
    return []
  }
  const { codes, form, other, example } = purposeList(told.list)
  const pattern = form ?? other
  return [
    {
      type: 'Purpose',
      required: required('Purpose'),
      ...(told.above === undefined || !currencies.includes(told.above.currency) ? {} : { requiredAbove: told.above }),
      ...(pattern === undefined ? {} : { pattern }),
      example,
      values: codes.map(({ code, description }) => ({ code, description })),
    },
  ]
}
