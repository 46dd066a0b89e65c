/** Lists the additional information that a country requires: tax code, reason, purpose. */
import type { PaymentRequirement } from '../../../contract/countries.ts'
import {
  isInformationRequired,
  MESSAGE_PATTERN,
} from '../../countries/destinations/additional-information-validation.ts'
import { purposeList } from '../../countries/destinations/purpose-codes.ts'
import type { CountryRequirements } from '../../countries/destinations/requirements-table.ts'

type RequiredInformation = PaymentRequirement['additionalInformation'][number]

/** An element is required if payments in at least one of the currencies require it. */
export function requiredInformation(
  requirements: CountryRequirements,
  currencies: readonly string[],
): RequiredInformation[] {
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
    : [{ type: 'Reason', required: required('Reason'), pattern: MESSAGE_PATTERN, example: 'Invoice 20455', values: [] }]
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
