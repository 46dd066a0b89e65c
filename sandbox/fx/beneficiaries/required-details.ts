/** The beneficiary details that the provider requires, by the country of the account. */
import receivers from '../../../data/sandbox-fx/receivers.json' with { type: 'json' }

export type BeneficiaryRequirements = {
  /** Present where accounts have an IBAN. */
  readonly ibanLength?: number
  /** Pattern of a local account number; absent where only IBANs are accepted. */
  readonly account?: string
  /** Patterns of the bank codes that accompany a local account number, by the provider's name of the code. */
  readonly routing?: Readonly<Record<string, string>>
  readonly routingOptional?: boolean
  readonly address: readonly string[]
}

const demandsByCountry: Readonly<Record<string, BeneficiaryRequirements>> = receivers.countries

const BIC = '^[0-9A-Z]{8}$|^[0-9A-Z]{11}$'
const SOMETHING = '^.{1,255}'
const ENTITY_TYPES = ['individual', 'company']

export function requirementsOf(country: string): BeneficiaryRequirements | undefined {
  return demandsByCountry[country]
}

/** Every accepted combination of payment type and beneficiary entity type. */
export function listRequirements(demands: BeneficiaryRequirements): readonly object[] {
  return [
    ...(demands.ibanLength === undefined ? [] : requirementsFor('regular', demands, { iban: ibanPattern(demands) })),
    ...(demands.account === undefined
      ? []
      : requirementsFor('regular', demands, { acct_number: demands.account, ...requiredRouting(demands) })),
    ...requirementsFor('priority', demands, {
      ...(demands.ibanLength === undefined
        ? { acct_number: demands.account ?? SOMETHING, ...requiredRouting(demands) }
        : { iban: ibanPattern(demands) }),
      bic_swift: BIC,
    }),
  ]
}

function requirementsFor(
  paymentType: 'regular' | 'priority',
  { address }: BeneficiaryRequirements,
  account: Readonly<Record<string, string>>,
): readonly object[] {
  return ENTITY_TYPES.map((entityType) => ({
    payment_type: paymentType,
    beneficiary_entity_type: entityType,
    ...account,
    ...(entityType === 'company'
      ? { beneficiary_company_name: SOMETHING }
      : { beneficiary_first_name: SOMETHING, beneficiary_last_name: SOMETHING }),
    ...Object.fromEntries(address.map((name) => [name, SOMETHING])),
    beneficiary_country: '^[A-z]{2}$',
  }))
}

function requiredRouting({
  routing = {},
  routingOptional = false,
  ibanLength,
}: BeneficiaryRequirements): BeneficiaryRequirements['routing'] {
  // Where an IBAN is accepted as well, a local number requires the bank's code.
  return routingOptional && ibanLength === undefined ? {} : routing
}

function ibanPattern({ ibanLength = 0 }: BeneficiaryRequirements): string {
  return `^[A-Z]{2}[0-9]{2}[A-Z0-9]{${ibanLength - 4}}$`
}
