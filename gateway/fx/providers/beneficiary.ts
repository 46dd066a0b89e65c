/** What providers are told of the receiver of a payout, and what they demand of one. */

/** A company or a person that is paid abroad. Absent members are not known. */
export type Beneficiary = {
  readonly name: string
  readonly entityType: 'company' | 'individual'
  /** Where the account is (ISO 3166-1 alpha-2). */
  readonly bankCountry: string
  /** What is paid (ISO 4217). */
  readonly currency: string
  readonly account: { readonly iban: string } | { readonly bban: string }
  readonly bic?: string
  /** In the form that the country's requirements name, without separators. */
  readonly clearingCode?: string
  readonly address: {
    readonly country: string
    readonly street?: string
    readonly city?: string
    readonly postCode?: string
    readonly state?: string
  }
  /** How it is going to be paid; both ways have to be open when absent. */
  readonly way?: PayoutWay
  /** The receiver's number in the registers of its country, where the country demands it. */
  readonly taxCode?: string
}

/** A part of what is told of a receiver, by which refusals name it. */
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

/** What a provider demands of receivers of one kind; of several, one has to be met. */
export type RequiredDetails = {
  readonly entityType: 'company' | 'individual'
  readonly paymentType: PayoutWay
  /** Each demanded part and the regular expression that it must match, as the provider writes it. */
  readonly fields: Readonly<Partial<Record<BeneficiaryPart, string>>>
  /** What else is demanded, by the provider's own names. */
  readonly further: Readonly<Record<string, string>>
}

/** `priority` travels by SWIFT, `regular` by a local clearing. */
export type PayoutWay = 'priority' | 'regular'

/** An account at the provider to which the sold money is paid; it is domestic to `country`. */
export type IntermediaryAccount = {
  readonly country: string
  readonly currency: string
  readonly iban: string | null
  readonly bban: string | null
  readonly bic: string | null
  readonly clearingCode: string | null
  readonly holder: { readonly name: string; readonly address: HolderAddress }
  readonly bankName: string | null
}

/** Where the holder of an account is; null for what is not known. */
export type HolderAddress = {
  readonly street: string | null
  readonly city: string | null
  readonly postCode: string | null
  readonly country: string | null
}
