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

export function requirementsOf(country: string): BeneficiaryRequirements | undefined {
  return demandsByCountry[country]
}
