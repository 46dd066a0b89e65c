/** What the provider demands of receivers, by the country of their account. */
import receivers from '../../../data/sandbox-fx/receivers.json' with { type: 'json' }

/** One country's demands. */
export type Demands = {
  /** Present where accounts have an IBAN. */
  readonly ibanLength?: number
  /** The pattern of a local account number, where one is taken. */
  readonly account?: string
  /** Codes of the bank that go with a local number, by the provider's word for their kind, and their patterns. */
  readonly routing?: Readonly<Record<string, string>>
  readonly routingOptional?: boolean
  readonly address: readonly string[]
}

const demandsByCountry: Readonly<Record<string, Demands>> = receivers.countries

const BIC = '^[0-9A-Z]{8}$|^[0-9A-Z]{11}$'
const SOMETHING = '^.{1,255}'
const ENTITY_TYPES = ['individual', 'company']

export function demandsOf(country: string): Demands | undefined {
  return demandsByCountry[country]
}

/** Every combination that is taken: how it travels, and who is paid. */
export function listDemands(demands: Demands): readonly object[] {
  return [
    ...(demands.ibanLength === undefined ? [] : demandsBy('regular', demands, { iban: ibanPattern(demands) })),
    ...(demands.account === undefined
      ? []
      : demandsBy('regular', demands, { acct_number: demands.account, ...requiredRouting(demands) })),
    ...demandsBy('priority', demands, {
      ...(demands.ibanLength === undefined
        ? { acct_number: demands.account ?? SOMETHING, ...requiredRouting(demands) }
        : { iban: ibanPattern(demands) }),
      bic_swift: BIC,
    }),
  ]
}

function demandsBy(
  paymentType: 'regular' | 'priority',
  { address }: Demands,
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

function requiredRouting({ routing = {}, routingOptional = false, ibanLength }: Demands): Demands['routing'] {
  // Where an IBAN would do as well, a local number needs the bank's code.
  return routingOptional && ibanLength === undefined ? {} : routing
}

function ibanPattern({ ibanLength = 0 }: Demands): string {
  return `^[A-Z]{2}[0-9]{2}[A-Z0-9]{${ibanLength - 4}}$`
}
