/** What a bank is: a row of the directory, joined with the profile that says what it offers and how it speaks. */

/** What a bank may offer, in the words of the interface. */
export const BANK_PRODUCTS = [
  'PAYMENT_DOMESTIC',
  'PAYMENT_CROSS_BORDER',
  'PAYROLL',
  'PAYROLL_BULK',
  'ACCOUNTS',
  'ACCOUNT_ENTRIES',
  'ACCOUNT_ENTRIES_EXTENDED',
  'PAYMENT_CANCEL',
] as const
export type BankProduct = (typeof BANK_PRODUCTS)[number]

/** Whether the bank can be reached, as our own calls of late have shown. */
export type BankStatus = 'Operational' | 'Degraded' | 'Down'

/** One bank of the directory. */
export type Bank = {
  readonly bic: string
  readonly name: string
  readonly countryCode: string
  /** Key of `connectors.ts`. */
  readonly connector: string
  /** Where its interface begins, in front of `/v1`, without a final slash. */
  readonly address: string
  /** `host:port` of every place its links may lead to; the server follows and browsers are sent nowhere else. */
  readonly linkHosts: readonly string[]
  readonly profile: BankProfile
}

/** What banks of one kind offer and demand; kept as JSON in `data/bank-profiles/`. */
export type BankProfile = {
  readonly name: string
  readonly timeZone: string
  readonly products: readonly BankProduct[]
  readonly branches: readonly { readonly name: string; readonly branch: string }[]
  readonly constraints: BankConstraints
  readonly scaMethods: readonly ('Redirect' | 'Qr')[]
  readonly maxConsentValidityDays: number
  readonly userId: BankUserId
  readonly dueDateMaxDays: number
  /** Local time after which an order due today is executed on the next bank day, `HH:MM`. */
  readonly cutOffTime: string
  /** Largest amount of one domestic payment, by currency, as a decimal string. */
  readonly amountMax: Readonly<Record<string, string>>
  /** How long the user has at the bank's pages once an authorisation is begun. */
  readonly authorisationTtlSeconds: number
  /** What becomes of an order nobody signs: it stays until the end of its due day, or the bank moves the date. */
  readonly unsignedLifetime: 'due-day' | 'moved-by-bank'
  /** Whether a newer consent of the same user ends older ones, counted per third party. */
  readonly consentReplacement: 'per-third-party' | 'none'
  /** Settings that only the connector of this bank understands; it checks them itself. */
  readonly dialect: unknown
}

/** Limits that the interface publishes for a bank. */
export type BankConstraints = {
  readonly maxBasketSize: number | null
  readonly maxBulkSize: number | null
  readonly maxPayrollSize: number | null
  readonly maxInformationFieldLength: number
  readonly maxUnstructuredRemittanceInfoLength: number
  readonly aisMaxDateRangeMonths: number
  readonly cancelSCARequired: boolean
  /** A character class such as `[a-zA-Z0-9 ]` that every character of a text must match. */
  readonly validInformationFieldCharactersPattern: string
}

/** How users are known at a bank, for the form that asks them. */
export type BankUserId = {
  readonly required: boolean
  readonly label: string
  readonly pattern: string
  readonly example: string
}
