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
  /** Signing baskets; null where the bank has none. */
  readonly baskets: { readonly max: number; readonly domesticOnly: boolean } | null
  /** How payrolls reach the bank; null where it takes none. */
  readonly payroll: PayrollTerms | null
  /** Whether orders can be withdrawn: never, without a signature, or with one once the order itself is signed. */
  readonly cancellation: 'none' | 'free' | 'after-signing'
  /** As the interface shows them. */
  readonly scaMethods: readonly ('Redirect' | 'Qr')[]
  /** The ways of signing that the bank has; the first is taken unless the user would like another. */
  readonly scaApproaches: readonly ScaApproach[]
  /** Whether signing is an OAuth grant that opens what was signed, or every call wants tokens got by signing in first. */
  readonly oauth: 'none' | 'integrated' | 'pre-step'
  readonly maxConsentValidityDays: number
  readonly userId: BankUserId
  readonly dueDateMaxDays: number
  /** Largest amount of one domestic payment, by currency, as a decimal string. */
  readonly amountMax: Readonly<Record<string, string>>
  /** The ways in which the bank carries domestic payments; one that is absent is not offered. */
  readonly rails: { readonly account: RailTerms } & Readonly<Partial<Record<DomesticRail, RailTerms>>>
  /** Payments across borders; absent where the bank offers none. */
  readonly crossBorder?: CrossBorderTerms
  /** What the bank does with an order due on a day on which it is closed. */
  readonly closedDays: 'next-bank-day' | 'refused'
  /** Whether the bank's statuses go on until the money has moved, or end before that. */
  readonly lastVisible: 'settled' | 'accepted'
  /** How long at least lies between two reads of one payment, or two looks at what a bank of files has put out. */
  readonly pollSecondsMin: number
  /** How long the user has at the bank's pages once an authorisation is begun. */
  readonly authorisationTtlSeconds: number
  /** What becomes of an order nobody signs: it stays until the end of its due day, or the bank moves the date. */
  readonly unsignedLifetime: 'due-day' | 'moved-by-bank'
  /** What the bank tells of entries: whether of each by itself, and of pending ones. */
  readonly entries: { readonly details: boolean; readonly pending: boolean }
  /** Whether a newer consent of the same user ends older ones, counted per third party. */
  readonly consentReplacement: 'per-third-party' | 'none'
  /** Settings that only the connector of this bank understands; it checks them itself. */
  readonly dialect: unknown
}

/** How users sign: in a browser at the bank, in an app that the bank notifies, or in an app that scans a code. */
export const SCA_APPROACHES = ['redirect', 'decoupled', 'qr'] as const
export type ScaApproach = (typeof SCA_APPROACHES)[number]

/** How a user signs at a bank who would like one way; what the bank has not is not insisted on. */
export function approachAt(
  { scaApproaches: [usual = 'redirect', ...others] }: Pick<BankProfile, 'scaApproaches'>,
  preferred: 'redirect' | 'qr' | null,
): ScaApproach {
  return others.find((approach) => approach === preferred) ?? usual
}

/** How a domestic payment travels: to an account, to a Swedish giro number, or by a Danish payment form. */
export const DOMESTIC_RAILS = ['account', 'bankgiro', 'plusgiro', 'payment-form'] as const
export type DomesticRail = (typeof DOMESTIC_RAILS)[number]

/** What holds for one rail at a bank; null where nothing but the bank's general limits does. */
export type RailTerms = {
  /** Until when an order must be signed to be carried out on a day: local time, so many bank days before it. */
  readonly cutOff: { readonly localTime: string; readonly bankDaysBefore: number }
  /** Decimal string in the country's currency. */
  readonly amountMax: string | null
  readonly recipientNameMax: number | null
  readonly messageMax: number | null
}

/** What holds for payments across borders in the currency of the account. */
export type CrossBorderTerms = Pick<RailTerms, 'cutOff'> & {
  /** Largest amount of one payment, by currency, as a decimal string; no limit of other currencies is known. */
  readonly amountMax: Readonly<Record<string, string>>
  /** Longest message to the receiver, of the 140 characters that cross borders at most. */
  readonly messageMax: number
}

/**
 * How a bank takes payrolls: as one bulk, as single payments in signing baskets, as single payments that are signed one
 * after the other, or as a file.
 */
export const PAYROLL_WAYS = ['bulk', 'baskets', 'chain', 'file'] as const
export type PayrollWay = (typeof PAYROLL_WAYS)[number]

/** The members beside `way` tell of bulks, and `batchBooking` of files too; elsewhere each payment is booked, signed and known by itself. */
export type PayrollTerms = {
  readonly way: PayrollWay
  /** Whether the bank debits a bulk in one sum when it is asked to. */
  readonly batchBooking: boolean
  /** How the bank tells of the payments in a bulk: each under its own id, all in the bulk, or not at all. */
  readonly elements: 'own-ids' | 'listed' | 'none'
  /** Whether several bulks can be signed in one basket. */
  readonly inBaskets: boolean
}

/** Limits that the interface publishes for a bank. */
export type BankConstraints = {
  readonly maxBasketSize: number | null
  readonly maxBulkSize: number | null
  readonly maxPayrollSize: number | null
  readonly maxInformationFieldLength: number
  readonly maxUnstructuredRemittanceInfoLength: number
  readonly maxUnstructuredRemittanceInfoLengthToOtherBanks: number
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

/** What a bank's payments have room for, beside that which all of them carry. */
export type CarriedParts = {
  /** The partner's id as the bank is told it; null where it is told none. */
  readonly endToEndId: (endToEndId: string) => string | null
  readonly purposeCode: boolean
  readonly debtorReference: boolean
  readonly creditorAddress: boolean
  /** Of payments across borders; absent where the bank offers none. */
  readonly crossBorder?: Pick<CarriedParts, 'endToEndId'> & {
    readonly clearingCode: boolean
    readonly regulatoryReporting: boolean
  }
}
