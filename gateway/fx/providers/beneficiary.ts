/** Defines beneficiaries at an FX provider, and the account that funds are paid to. */

/** The receiver of a payout; absent fields are unknown. */
export type Beneficiary = {
  readonly name: string
  /** Receivers are paid as companies. */
  readonly entityType: 'company'
  /** Country of the account (ISO 3166-1 alpha-2). */
  readonly bankCountry: string
  /** Currency of the payout (ISO 4217). */
  readonly currency: string
  readonly account: { readonly iban: string } | { readonly bban: string }
  readonly bic?: string
  /** In the format of the country's requirements, without separators. */
  readonly clearingCode?: string
  readonly address: {
    readonly country: string
    readonly street?: string
    readonly city?: string
    readonly postCode?: string
  }
  /** The payout method; if absent, the beneficiary must be valid for both. */
  readonly method?: PayoutMethod
  /** The receiver's tax or registration number, where the country requires it. */
  readonly taxCode?: string
}

/** A field of a beneficiary, as errors name it. */
export type BeneficiaryPart =
  | 'name'
  | 'iban'
  | 'bban'
  | 'bic'
  | 'clearingCode'
  | 'currency'
  | 'country'
  | 'bankCountry'
  | 'address.street'
  | 'address.city'
  | 'address.postCode'
  | 'address.state'
  | 'taxCode'

/** `priority` goes through SWIFT, `regular` through a local clearing. */
export type PayoutMethod = 'priority' | 'regular'

/** Our account at the provider that receives the sold amount; it is domestic to `country`. */
export type IntermediaryAccount = {
  readonly country: string
  readonly currency: string
  readonly iban: string | null
  readonly bban: string | null
  readonly bic: string | null
  readonly clearingCode: string | null
  readonly holder: { readonly name: string; readonly address: HolderAddress }
}

/** The address of the account holder; null for unknown parts. */
export type HolderAddress = {
  readonly street: string | null
  readonly city: string | null
  readonly postCode: string | null
  readonly country: string | null
}
