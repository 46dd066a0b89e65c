/** The data of the API. Generated from the contract by `npm run openapi`; never edited. */

/** A timestamp. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`. */
export type Timestamp = `${string}T${string}.${number}Z`

/** An account of the consent. */
export type Account = {
  /** The accountId of other operations; may differ for every consent. */
  id: string
  /**
   * The account number in its domestic format, or the IBAN where the bank gives only an IBAN that does not contain that
   * number, as some in Sweden do. Orders accept this value and the `iban`.
   */
  bban: string
  /** The IBAN. */
  iban?: string
  /** The bank's BIC. */
  bic: string
  /** The name of the account at the bank. */
  name?: string
  /** The account owner, as named by the bank. */
  ownerName?: string
  /** The currency of the account. */
  currency: string
  /** The country of the account (ISO 3166-1 alpha-2). */
  country: string
  /** The organisation number of the company that owns it. */
  organizationNumber: string
  /** The type of account. */
  type: 'Current' | 'Savings' | 'Tax' | 'Currency' | 'Other'
  /** The bank products that the account can be used for. */
  products: BankProduct[]
  /** Identifies the account under every consent. */
  stableId: string
}

/** The available and the booked balance; each is absent if the bank does not report it. */
export type AccountBalance = {
  availableBalance?: Balance
  bookedBalance?: Balance
  /** When the bank reported it. */
  timestamp: Timestamp
}

/**
 * Booked entries were read that were not there when the account was read before. Accounts are not read for this: it is
 * sent when your own software reads entries, and when entries are read to settle payments.
 */
export type AccountEntriesEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'ACCOUNT_ENTRIES_BOOKED'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: NewAccountEntries
}

/** An entry on an account. */
export type AccountEntry = {
  /** The bank's id of the entry; empty if it has none. Some banks change it when a pending entry is booked. */
  transactionId: string
  /** Identifies the entry before and after it is booked, under every consent. */
  stableEntryId: string
  postedAmount: EntryAmount
  type: AccountEntryType
  status: AccountEntryStatus
  /**
   * The booking date. Banks give a date without time: `2026-11-25T00:00:00.000Z` is 25 November, whose midnight in UTC
   * is on the same day at every bank. Absent while pending.
   */
  bookingDateTime?: Timestamp
  /** The value date, in the format of `bookingDateTime`; for a pending entry, the expected date. */
  valueDateTime?: Timestamp
  /** The purpose of the transfer, in the text of the bank. */
  purposeText?: string
  remittanceInformation: EntryRemittance
  creditor: EntryParty
  debtor: EntryParty
  /** The endToEndId assigned by the payer, where the bank reports it. */
  endToEndId?: string
  /** Your payment that this entry belongs to. Absent when the match is not certain. */
  paymentId?: string
  /** The transactions of a batch booking, as far as the bank reports them. */
  elements?: EntryElement[]
  /** Whether the details of this entry were read from the bank. */
  enriched: boolean
}

/** An entry on an account, with its details. */
export type AccountEntryDetails = {
  /** The bank's id of the entry; empty if it has none. Some banks change it when a pending entry is booked. */
  transactionId: string
  /** As in the list. Absent at banks whose ids change when an entry is booked: use the list there. */
  stableEntryId?: string
  postedAmount: EntryAmount
  type: AccountEntryType
  status: AccountEntryStatus
  /**
   * The booking date. Banks give a date without time: `2026-11-25T00:00:00.000Z` is 25 November, whose midnight in UTC
   * is on the same day at every bank. Absent while pending.
   */
  bookingDateTime?: Timestamp
  /** The value date, in the format of `bookingDateTime`; for a pending entry, the expected date. */
  valueDateTime?: Timestamp
  /** The purpose of the transfer, in the text of the bank. */
  purposeText?: string
  remittanceInformation: EntryRemittance
  creditor: EntryParty
  debtor: EntryParty
  /** The endToEndId assigned by the payer, where the bank reports it. */
  endToEndId?: string
  /** Your payment that this entry belongs to. Absent when the match is not certain. */
  paymentId?: string
  /** The transactions of a batch booking, as far as the bank reports them. */
  elements?: EntryElement[]
  /** Whether the details of this entry were read from the bank. */
  enriched: boolean
}

/** The entries on an account in a date range. */
export type AccountEntryList = {
  /** The entries, in the bank's order, pending ones last. */
  accountEntries: AccountEntry[]
}

/** Booked or pending; a pending entry may still change, or never be booked. */
export type AccountEntryStatus = 'BOOKED' | 'PENDING'

/** CREDIT: money came in. DEBIT: money went out. */
export type AccountEntryType = 'CREDIT' | 'DEBIT'

/** The accounts on the consent. */
export type AccountList = {
  /** The company's accounts. */
  accounts: Account[]
}

/** The account identifier. Absent if payments are not supported. */
export type AccountRequired = {
  /** The account identifier: IBAN, or the country's own number. */
  identifier: 'iban' | 'bban'
  /** The format, without spaces and other separators. Check digits are validated too. */
  pattern: string
  /** A valid example. */
  example: string
}

/** Information that the receiving country requires. */
export type AdditionalInformation = {
  /** TaxCode: of the receiver. Reason: of the payment, as text. Purpose: of the payment, as a code. */
  type: 'TaxCode' | 'Reason' | 'Purpose'
  /** The code or text that the receiving country requires. */
  value: string
}

/**
 * A postal address. That of the receiver is sent to the bank if its payments have a field for it and town and country
 * are given; no other is sent. Its characters are validated only then.
 */
export type Address = {
  /** The street. */
  streetName?: string
  /** The number in the street. */
  buildingNumber?: string
  /** The town. */
  city?: string
  /** The postal code. */
  postCode?: string
  /** The country (ISO 3166-1 alpha-2). */
  country?: string
}

/** A field of the address. */
export type AddressField = 'streetName' | 'buildingNumber' | 'city' | 'postCode' | 'country'

/** The receiver's address. */
export type AddressRequired = {
  /** The required fields of a cross-border payment. Quotes need only the bankFields. */
  requiredFields: AddressField[]
  /** The fields without which the receiver's bank rejects a payment. */
  bankFields: AddressField[]
  /** The format of the post code, in capital letters; absent if the country has none: any text is accepted. */
  postCodePattern?: string
  /** A post code. */
  postCodeExample?: string
}

/** The approval of one or more payments by one user. */
export type Approval = {
  /** Identifies the approval. */
  id: string
  status: ApprovalStatus
  sca?: Sca
  /** The payments of the approval. */
  payments?: PaymentApprovalResult[]
  /**
   * How many signatures are needed; null if the bank does not report it. At present no bank does: `PartlySigned` means
   * that another user must sign.
   */
  requiredSignatures?: number | null
  /** How many signatures are missing; null if the bank does not report it. */
  remainingSignatures?: number | null
}

/** The payments to sign. */
export type ApprovalRequest = {
  /** The payments to sign, domestic or cross-border; all of one bank and company. */
  payments: string[]
  /**
   * Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you,
   * without credentials; in the sandbox any https origin and loopback http, too. It is returned as it was written, with
   * `status` added to the query, before a fragment.
   */
  callbackUrl: string
  preferredScaMethod?: PreferredScaMethod
}

/**
 * STARTED: the user has not finished. ACCEPTED: this user has signed all payments. REJECTED: the user or the bank
 * rejected it. CANCELLED: the user left, it timed out, a newer approval replaced it, or it was abandoned.
 */
export type ApprovalStatus = 'STARTED' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED'

/** What changed. */
export type ApprovalStatusChange = {
  /** The approval. */
  approvalId: string
  /** What is approved. */
  subject: 'payments' | 'payrolls'
  previousStatus: ApprovalStatus
  status: ApprovalStatus
}

/** An approval of payments or payrolls has ended. */
export type ApprovalStatusEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'APPROVAL_STATUS_ACCEPTED' | 'APPROVAL_STATUS_REJECTED' | 'APPROVAL_STATUS_CANCELLED'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: ApprovalStatusChange
}

/** What is on an account; may be negative. */
export type Balance = {
  /** A decimal with a point; negative when overdrawn. */
  amount: string
  /** The currency (ISO 4217). */
  currency: string
}

/** A bank with its products and limits. */
export type Bank = {
  /** The bank's BIC. */
  bic: string
  /** The name of the bank. */
  name: string
  /** The country of the bank (ISO 3166-1 alpha-2). */
  countryCode: string
  /** The branches, for banks whose users log in by branch. */
  branches: BankBranch[]
  /** The products that the bank offers through this API. */
  supportedProducts: BankProduct[]
  constraints: BankConstraints
  /** The SCA methods of the bank. */
  scaMethods: PreferredScaMethod[]
  /** The maximum validity of a consent, in days. */
  maxConsentValidityDays: number
  userId: BankUserId
  /** How many days ahead a due date may be. */
  dueDateMaxDays: number
  /** Until when the bank executes orders on the same day, `HH:MM` in the time of the bank's country. */
  cutOffTime: string
  /** The cut-off of each rail of domestic payments to other banks. */
  cutOffs: CutOff[]
  /** The present availability of the bank. */
  status: 'Operational' | 'Degraded' | 'Down'
}

/** A branch of a bank whose users log in by branch. */
export type BankBranch = {
  /** The name of the branch. */
  name: string
  /** The value for bankBranch. */
  branch: string
}

/** The limits of the bank. */
export type BankConstraints = {
  /** The maximum number of payments in one signature; null if the bank has no limit. */
  maxBasketSize: number | null
  /** The maximum number of payrolls in a bulk; null if the bank accepts none. */
  maxBulkSize: number | null
  /** The maximum number of transactions in a payroll; null if the bank accepts none. */
  maxPayrollSize: number | null
  /** The maximum length of a name. */
  maxInformationFieldLength: number
  /**
   * The maximum length of a message; to accounts at other banks maxUnstructuredRemittanceInfoLengthToOtherBanks
   * applies.
   */
  maxUnstructuredRemittanceInfoLength: number
  /** The maximum length of a message to an account at another bank. */
  maxUnstructuredRemittanceInfoLengthToOtherBanks: number
  /** The maximum length of the message of a cross-border payment without exchange; null if the bank offers none. */
  maxCrossBorderRemittanceInfoLength: number | null
  /** The maximum length of a debtorReference. */
  maxDebtorReferenceLength: number
  /** The largest amount of one domestic payment, for each currency with a limit. */
  maxAmounts: Money[]
  /** The limits of each rail of domestic payments. */
  rails: RailLimits[]
  /** The maximum date range of one request for account entries, in months. */
  aisMaxDateRangeMonths: number
  /** Whether the user must approve a cancellation. */
  cancelSCARequired: boolean
  /** The character class that every character of a name or message matches, for example `[a-zA-Z0-9 ]`. */
  validInformationFieldCharactersPattern: string
}

/** A product that a bank offers through this API. */
export type BankProduct = 'PAYMENT_DOMESTIC' | 'PAYMENT_CROSS_BORDER' | 'PAYROLL' | 'PAYROLL_BULK' | 'ACCOUNTS' | 'ACCOUNT_ENTRIES' | 'ACCOUNT_ENTRIES_EXTENDED' | 'PAYMENT_CANCEL'

/** Whether a consent needs the user's id, and its format. */
export type BankUserId = {
  /** Whether a consent needs the userId. */
  required: boolean
  /** The name that the bank uses for it, for the label of a form field. */
  label: string
  /** The regular expression that the whole userId matches. */
  pattern: string
  /** A userId of the right format; in the sandbox, one that the sandbox bank knows. */
  example: string
}

/** The BIC of the receiver's bank. */
export type BicRequired = {
  /** Whether it is required. */
  required: boolean
}

/** A cancellation request for a payment. The payment itself becomes Cancelled once the bank confirms it. */
export type Cancellation = {
  /** Identifies the cancellation. */
  id: string
  sca?: Sca
  cancellationRequestStatus: CancellationRequestStatus
  currentPaymentStatus: PaymentStatus
  /** Why the payment is not cancelled, or other information; null if there is none. */
  reason: string | null
}

/** The payment to cancel. */
export type CancellationRequest = {
  /** The id of the payment to cancel. */
  paymentId: string
  /**
   * Where the user returns to after signing the cancellation. A URI whose origin (`https://erp.example`) or scheme
   * (`myerp:`) is registered for you, without credentials; in the sandbox any https origin and loopback http, too. It
   * is returned as it was written, with `status` added to the query, before a fragment.
   */
  callbackUrl: string
  preferredScaMethod?: PreferredScaMethod
}

/**
 * ACCEPTED: the bank accepted the cancellation. REJECTED: the payment is not cancelled; see reason.
 * AUTHORIZATION_REQUIRED: the user must sign the cancellation; then one of the other two follows.
 */
export type CancellationRequestStatus = 'ACCEPTED' | 'REJECTED' | 'AUTHORIZATION_REQUIRED'

/** A transaction whose status has changed. */
export type ChangedPayrollTransaction = {
  /** Its position in `transactions` of the payroll, from 0. */
  position: number
  previousStatus: PaymentStatusValue
  /** The reason; null if there is none. */
  statusReason: PaymentStatusReason | null
}

/** The clearing code of the receiver's bank. */
export type ClearingCodeRequired = {
  /** Whether payments without it are rejected. */
  required: boolean
  /** The clearing system: its ISO 20022 code if it has one. Absent if there is none. */
  scheme?: string
  /** Its name and composition. */
  name?: string
  /** The format. Check digits are validated too. */
  pattern?: string
  /** A valid example. */
  example?: string
}

/** How business time is to move: exactly one of `advance`, `set` and `reset`. */
export type ClockMove = {
  /** By how much business time moves ahead: weeks, or days, hours, minutes and seconds (ISO 8601). */
  advance?: string
  /** The business time to move to; not before the present one. */
  set?: string
  /** Puts business time back in step with wall time. */
  reset?: boolean
} & ({ advance: string } | { set: string } | { reset: boolean })

/** A company that the partner acts for. */
export type Company = {
  /** The organisation number. */
  organizationNumber: string
  /** The country of registration (ISO 3166-1 alpha-2). */
  country: string
  /** The registered name. */
  name: string
  /** Whether the company has an active subscription. */
  activeSubscription: boolean
  /** The services of the company. */
  services: CompanyService[]
  /** The onboarding that created it; null if it was registered in another way. */
  onboardingId: string | null
}

/** AIS account information, PIS payment initiation. */
export type CompanyService = 'AIS' | 'PIS'

/** A postal address in full. */
export type CompleteAddress = {
  /** The street. */
  streetName: string
  /** The number in the street. */
  buildingNumber: string
  /** The town. */
  city: string
  /** The postal code. */
  postCode: string
  /** The country (ISO 3166-1 alpha-2). */
  country: string
}

/** Name and complete address. */
export type CompleteContactInformation = {
  /** The name: at most 70 characters with exchange, else the maxInformationFieldLength of the debtor’s bank. */
  name: string
  /** The telephone number. */
  telephoneNumber?: string
  address: CompleteAddress
}

/** A user's access to a company's accounts at a bank. */
export type Consent = {
  /** The consent-id. */
  id: string
  status: ConsentStatus
  statusReason?: ConsentStatusReason
  /** When the consent expires unless it is revoked before. */
  validUntil: Timestamp
  /** When it was created. */
  createdAt: Timestamp
  /** When its status last changed. */
  updatedAt: Timestamp
  /** The bank's BIC. */
  bic: string
  /** The branch of the request. */
  bankBranch?: string
  /** The country of the company (ISO 3166-1 alpha-2). */
  country: string
  /** The organisation number of the company. */
  organizationNumber: string
  /** The user's id at the bank, masked except for a few characters. */
  userIdMasked?: string
  excludedAccounts?: ExcludedAccounts
  /** Notices that require action by the partner; usually empty. */
  notices: ConsentExpiryWarning[]
  sca?: Sca
}

/** What changed. */
export type ConsentChange = {
  /** The consent. */
  consentId: string
  /** Null when the status did not change: with CONSENT_EXPIRING. */
  previousStatus: ConsentStatus | null
  status: ConsentStatus
  /** The reason; null if there is none. */
  statusReason: ConsentStatusReason | null
  /** When the consent expires unless it is revoked before. */
  validUntil: Timestamp
}

/** A consent that the user has yet to accept at the bank. */
export type ConsentCreated = {
  /** The value of the header consent-id once the user has accepted. */
  id: string
  status: ConsentStatus
  /** When the consent expires unless it is revoked before. */
  validUntil: Timestamp
  sca: Sca
}

/** A consent was accepted, expires within seven days, or has ended. */
export type ConsentEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'CONSENT_ACCEPTED' | 'CONSENT_REJECTED' | 'CONSENT_CANCELLED' | 'CONSENT_EXPIRED' | 'CONSENT_REVOKED' | 'CONSENT_EXPIRING'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: ConsentChange
}

/** A notice that requires action by the partner. More codes may be added. */
export type ConsentExpiryWarning = {
  /**
   * CONSENT_EXPIRING: it expires within seven days. Create a new one for the same user; this one stays valid until the
   * user has accepted the new one.
   */
  code: 'CONSENT_EXPIRING'
  /** When the notice began to apply. */
  since: Timestamp
  /** When the consent expires. */
  validUntil: Timestamp
}

/** The company and bank of the consent. */
export type ConsentRequest = {
  /** The bank's BIC. */
  bic: string
  /** The organisation number of the company that owns the accounts. */
  organizationNumber: string
  /**
   * Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you,
   * without credentials; in the sandbox any https origin and loopback http, too. It is returned as it was written, with
   * `status` added to the query, before a fragment.
   */
  callbackUrl: string
  /** The user's id at the bank; required if `userId.required` of the bank is true. */
  userId?: string
  /** The branch, for banks whose users log in by branch. */
  bankBranch?: string
  /** The country of the company (ISO 3166-1 alpha-2). */
  country?: string
  preferredScaMethod?: PreferredScaMethod
}

/**
 * AUTHORIZATION_REQUIRED: the user must accept at the bank. ACCEPTED: valid. REJECTED: the user or the bank rejected
 * it. CANCELLED: the user left, or 15 minutes passed. EXPIRED: validUntil passed. REVOKED: see the reason.
 */
export type ConsentStatus = 'AUTHORIZATION_REQUIRED' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED' | 'REVOKED'

/** Who revoked the consent, or that a newer consent of the same user replaced it. */
export type ConsentStatusReason = 'USER' | 'PARTNER' | 'BANK' | 'REPLACED_BY_NEW_CONSENT'

/** Name and contact details. */
export type ContactInformation = {
  /** The name of the person or organisation. */
  name: string
  /** The telephone number. */
  telephoneNumber?: string
  address?: Address
}

/** A receiver country. */
export type CountrySummary = {
  /** The country (ISO 3166-1 alpha-2). */
  country: string
  /** The English name. */
  name: string
  /** The currencies in which receivers can be paid, the country's own first; empty if payments are not supported. */
  currencies: string[]
  /** Whether payments to the country are supported. */
  supported: boolean
}

/** The creditor and its account. */
export type Creditor = {
  account: CreditorAccount
  contactInformation: ContactInformation
}

/** The receiver’s account. */
export type CreditorAccount = {
  /** The type of account number. */
  type: 'bban'
  /**
   * The account number in its domestic format, as digits or as it is printed, like that of the debtor; other separators
   * are rejected. In Sweden also Bankgiro (`5402-9681`, `BG 54029681`) and Plusgiro (`902003-3`, `PG 9020033`), where
   * the bank supports them. In Denmark, with a FIK, it is the creditor or giro number of the form.
   */
  bban: string
}

/** The debtor or creditor account of a cross-border payment. */
export type CrossBorderAccount = {
  /** The type of account number. */
  type: 'bban' | 'iban'
  /** The BIC of the account’s bank. */
  bic: string
  /** The account number, with type bban. */
  bban?: string
  /** The IBAN, with type iban. */
  iban?: string
  /** The clearing code of the bank. */
  clearingCode?: string
}

/** The amount that the receiver gets. It is exchanged if its currency is not that of the debtor account. */
export type CrossBorderAmount = {
  /** A decimal with a point and no sign, exponent or separators, for example `1250.00`. */
  amount: string
  /** The currency (ISO 4217), for example `USD`, in which the receiver is paid. */
  currency: string
}

/** The creditor and its account. */
export type CrossBorderCreditor = {
  account: CrossBorderCreditorAccount
  contactInformation: CompleteContactInformation
}

/** The receiver’s account. */
export type CrossBorderCreditorAccount = {
  /** The type of account number. A `bban` may hold an IBAN. */
  type: 'bban' | 'iban'
  /** The BIC of the receiver’s bank. */
  bic: string
  /** With type bban: the account number in its domestic format, or the IBAN. */
  bban?: string
  /** With type iban: the IBAN. */
  iban?: string
  /** The clearing code of the receiver’s bank, where the country requires it. */
  clearingCode?: string
}

/** The debtor and its account. */
export type CrossBorderDebtor = {
  account: CrossBorderDebtorAccount
  contactInformation: CompleteContactInformation
  /** The currency of the debtor account. */
  currency: string
  /** The organisation number of the company that pays. */
  organizationNumber?: string
}

/** The debtor account; one of those on the consent. */
export type CrossBorderDebtorAccount = {
  /** The type of account number. */
  type: 'bban'
  /** The BIC of the account’s bank: that of the consent. */
  bic: string
  /** The account number in its domestic format, or the IBAN, of an account on the consent. */
  bban: string
}

/** The payment as accepted by the bank; with exchange, its cost and the deadline for signing. */
export type CrossBorderInitiated = {
  /** Identifies the payment for approval and status. */
  paymentId: string
  paymentStatus: PaymentStatus
  costAmount?: Money
  /** Units of the debtor account’s currency for one unit of the payout currency. */
  exchangeRate?: string
  /** The time by which the payment must be signed; after it, an unsigned payment may be cancelled. */
  quoteExpiryTime?: Timestamp
  intermediaryAccount?: IntermediaryAccount
  /** The quote that the payment booked. */
  quoteId?: string
  /** Warnings to check. */
  warnings?: PaymentWarning[]
}

/** A payment to another country, or from an account in another currency than that of its country. */
export type CrossBorderPayment = {
  metadata: PaymentMetadata
  /** The quote to book; without it a new quote is used. */
  quoteId?: string
  from: CrossBorderDebtor
  to: CrossBorderCreditor
  amount: CrossBorderAmount
  /**
   * The day on which the debtor’s bank pays, `YYYY-MM-DD`. With exchange it is the due date of the domestic funding
   * payment, and the receiver is usually paid two bank days later.
   */
  dueDate: string
  remittanceInformation: CrossBorderRemittance
  regulatoryReporting?: RegulatoryReporting
}

/** The creditor and its account. */
export type CrossBorderPaymentCreditor = {
  account: CrossBorderAccount
  contactInformation: CompleteContactInformation
}

/** The debtor and its account. */
export type CrossBorderPaymentDebtor = {
  account: CrossBorderAccount
  contactInformation: CompleteContactInformation
  /** The currency of the debtor account. */
  currency: string
  /** The organisation number of the company that pays. */
  organizationNumber?: string
}

/** A cross-border payment. */
export type CrossBorderPaymentListed = {
  /** The type of payment. */
  type: 'CrossBorder'
  /** Identifies the payment. */
  paymentId: string
  metadata: PaymentMetadata
  amount: Money
  /** The due date. */
  dueDate: string
  paymentStatus: PaymentStatus
  /** Whether the status is final; a bank may still change it later, for example by a return. */
  finalStatus: boolean
  /** Whether the outcome of the order is unknown: the bank may or may not have the payment. */
  outcomeUnknown: boolean
  /** When the payment was ordered. */
  createdAt: Timestamp
  /** When its status or status reason last changed. */
  updatedAt: Timestamp
  from: CrossBorderPaymentDebtor
  to: CrossBorderPaymentCreditor
  remittanceInformation: CrossBorderRemittance
  regulatoryReporting?: RegulatoryReporting
  costAmount?: Money
  /** Units of the debtor account’s currency for one unit of the payout currency. */
  exchangeRate?: string
  /** The time by which the payment must be signed; after it, an unsigned payment may be cancelled. */
  quoteExpiryTime?: Timestamp
  intermediaryAccount?: IntermediaryAccount
  /** The quote that the payment booked. */
  quoteId?: string
}

/** A cross-border payment. */
export type CrossBorderPaymentShown = {
  /** The type of payment. */
  type: 'CrossBorder'
  /** Identifies the payment. */
  paymentId: string
  metadata: PaymentMetadata
  amount: Money
  /** The due date. */
  dueDate: string
  paymentStatus: PaymentStatus
  /** Whether the status is final; a bank may still change it later, for example by a return. */
  finalStatus: boolean
  /** Whether the outcome of the order is unknown: the bank may or may not have the payment. */
  outcomeUnknown: boolean
  /** When the payment was ordered. */
  createdAt: Timestamp
  /** When its status or status reason last changed. */
  updatedAt: Timestamp
  from: CrossBorderPaymentDebtor
  to: CrossBorderPaymentCreditor
  remittanceInformation: CrossBorderRemittance
  regulatoryReporting?: RegulatoryReporting
  costAmount?: Money
  /** Units of the debtor account’s currency for one unit of the payout currency. */
  exchangeRate?: string
  /** The time by which the payment must be signed; after it, an unsigned payment may be cancelled. */
  quoteExpiryTime?: Timestamp
  intermediaryAccount?: IntermediaryAccount
  /** The quote that the payment booked. */
  quoteId?: string
  /**
   * The day on which the bank executes the payment: if it is signed now; once it is signed, by the time of its
   * signature. It is the due date unless that is not a bank day or its cut-off has passed.
   */
  expectedExecutionDate?: string
  /** The endToEndId as sent to the bank; absent if the bank accepts none. */
  bankEndToEndId?: string
  /**
   * The status history, oldest first, the latest 100: one entry for each change of status or reason. A new bank text
   * with an unchanged status is shown in `paymentStatus` only.
   */
  statusHistory: PaymentStatus[]
  funding?: ExchangeFunding
  payout?: ExchangePayout
  /** The events of the exchange, oldest first. */
  timeline?: ExchangeStep[]
}

/** The remittance information and the information for the receiving country. */
export type CrossBorderRemittance = {
  /** The text shown to the receiver. */
  message: string
  /** Information that the receiving country requires; see its payment requirements. */
  additionalInformation?: AdditionalInformation[]
  /** A text shown to the debtor only, where the bank supports it. */
  debtorReference?: string
}

/** A supported currency. */
export type Currency = {
  /** The currency (ISO 4217). */
  currency: string
  /** The number of decimals of its amounts. */
  decimals: number
  /** Whether a payment with exchange can be funded in it. */
  funding: boolean
  /** Whether receivers can be paid in it. */
  payout: boolean
  maxAmount: CurrencyLimits
  /** How many bank days ahead a payment may be due; 0 if only on the day of the order. */
  dueDateMaxDays: number
  /** The cut-off time of payments due on the day of their order, as HH:MM in Oslo. */
  cutOffTime: string
}

/** The largest amounts of one exchange, as decimals. */
export type CurrencyLimits = {
  /** Due today. */
  dueToday: string
  /** Due later; null if the currency can be ordered on the due date only. */
  dueLater: string | null
}

/** A currency, the largest amount of one exchange, and how far ahead a payment may be due. */
export type CurrencyPaid = {
  /** The currency (ISO 4217). */
  currency: string
  maxAmount: Money
  /** How many bank days ahead a payment may be due; 0 for payments due today only. */
  dueDateMaxDays: number
}

/**
 * The status of all transactions; if they differ, the first of these that one of them has: CustomerActionRequired,
 * Unsigned, InProgress, Completed, Rejected, Cancelled.
 */
export type CurrentPayrollStatus = 'Unsigned' | 'InProgress' | 'Completed' | 'Rejected' | 'Cancelled' | 'CustomerActionRequired'

/** The time by which an order must be signed to be executed on its due date. */
export type CutOff = {
  /** The payment rail: to an account, to a Swedish giro number, or by a Danish payment form. */
  rail: 'account' | 'bankgiro' | 'plusgiro' | 'payment-form'
  /** `HH:MM` in the time of the bank's country. */
  localTime: string
  /** Bank days before the due date; 0 is the due date itself. */
  bankDaysBefore: number
}

/** The debtor and its account. */
export type Debtor = {
  account: DebtorAccount
  contactInformation: ContactInformation
  /** The currency of the debtor account. */
  currency: string
  /** The organisation number of the company that pays. */
  organizationNumber?: string
}

/** The debtor account; one of those on the consent. */
export type DebtorAccount = {
  /** The type of account number. */
  type: 'bban'
  /**
   * The account number in its domestic format, as digits or as it is printed. Norway: 11 digits (`8601.11.17947`).
   * Sweden: clearing and account number (`5439-1024039`). Denmark: registration and account number (`0040 0440116243`).
   * Finland: the IBAN, or its 14 digits. The IBAN of an account on the consent is accepted too. Other separators are
   * rejected, because they may be decimals of a spreadsheet.
   */
  bban: string
}

/** A payment between accounts of one country in its currency. */
export type DomesticPayment = {
  metadata: PaymentMetadata
  from: Debtor
  to: Creditor
  amount: Money
  /**
   * The day on which the bank pays, `YYYY-MM-DD`. If banks are closed on that day, it is paid on the next bank day;
   * payrolls and some banks reject such days.
   */
  dueDate: string
  remittanceInformation?: RemittanceInformation
  purposeCode?: PurposeCode
}

/** A domestic payment. */
export type DomesticPaymentListed = {
  /** The type of payment. */
  type: 'Domestic'
  /** Identifies the payment. */
  paymentId: string
  metadata: PaymentMetadata
  amount: Money
  /** The due date. */
  dueDate: string
  paymentStatus: PaymentStatus
  /** Whether the status is final; a bank may still change it later, for example by a return. */
  finalStatus: boolean
  /** Whether the outcome of the order is unknown: the bank may or may not have the payment. */
  outcomeUnknown: boolean
  /** When the payment was ordered. */
  createdAt: Timestamp
  /** When its status or status reason last changed. */
  updatedAt: Timestamp
  from: PaymentDebtor
  to: PaymentCreditor
  remittanceInformation?: RemittanceInformation
  purposeCode?: PurposeCode
}

/** A domestic payment. */
export type DomesticPaymentShown = {
  /** The type of payment. */
  type: 'Domestic'
  /** Identifies the payment. */
  paymentId: string
  metadata: PaymentMetadata
  amount: Money
  /** The due date. */
  dueDate: string
  paymentStatus: PaymentStatus
  /** Whether the status is final; a bank may still change it later, for example by a return. */
  finalStatus: boolean
  /** Whether the outcome of the order is unknown: the bank may or may not have the payment. */
  outcomeUnknown: boolean
  /** When the payment was ordered. */
  createdAt: Timestamp
  /** When its status or status reason last changed. */
  updatedAt: Timestamp
  from: PaymentDebtor
  to: PaymentCreditor
  remittanceInformation?: RemittanceInformation
  purposeCode?: PurposeCode
  /**
   * The day on which the bank executes the payment: if it is signed now; once it is signed, by the time of its
   * signature. It is the due date unless that is not a bank day or its cut-off has passed.
   */
  expectedExecutionDate?: string
  /** The endToEndId as sent to the bank; absent if the bank accepts none. */
  bankEndToEndId?: string
  /**
   * The status history, oldest first, the latest 100: one entry for each change of status or reason. A new bank text
   * with an unchanged status is shown in `paymentStatus` only.
   */
  statusHistory: PaymentStatus[]
  funding?: ExchangeFunding
  payout?: ExchangePayout
  /** The events of the exchange, oldest first. */
  timeline?: ExchangeStep[]
}

/** An amount and its currency. */
export type EntryAmount = {
  /** Never negative: `type` gives the direction. Exact, with the decimals of its currency, usually two. */
  amount: number
  /** The currency (ISO 4217). */
  currency: string
}

/** One transaction of a batch booking. */
export type EntryElement = {
  postedAmount?: EntryAmount
  type: AccountEntryType
  creditor: EntryParty
  debtor: EntryParty
  remittanceInformation: EntryRemittance
  /** The endToEndId assigned by the payer. */
  endToEndId?: string
}

/** The debtor or creditor of an entry, as far as the bank names it. */
export type EntryParty = {
  /** The name of the account holder. */
  name?: string
  /** The account number in its domestic format. */
  bban?: string
  /** The IBAN. */
  iban?: string
}

/** The remittance information of the entry. */
export type EntryRemittance = {
  /** The structured reference: a KID, OCR, creditor or invoice reference; the first of several. */
  reference?: string
  /** All structured references, each with its type where the bank gives it. */
  references?: StructuredReference[]
  /** The message. */
  unstructured?: string
}

/**
 * The amount that the receiver gets (BUY); or, in the currency of the sender with another `to.currency`, what the
 * sender pays (SELL).
 */
export type ExchangeAmount = {
  /** A decimal with a point and no sign, exponent or separators, for example `1250.00`. */
  amount: string
  /** The currency (ISO 4217). */
  currency: string
}

/** The opening hours and possible due dates of exchange. */
export type ExchangeCalendar = {
  /** Whether exchange can be ordered now. */
  serviceOpen: boolean
  /** When exchange can next be ordered; the present time while it is open. */
  opensAt: Timestamp
  /** The cut-off time of payments due on the day of their order, as HH:MM in Oslo. */
  cutOffTime: string
  /** The earliest due date of a payment that is ordered now. */
  firstDueDate: string
  /** The first due date after today: its quote is valid for five minutes instead of two. */
  defaultDueDate: string
  /** The latest due date; some currencies have an earlier one. */
  lastDueDate: string
  /** The days of the range that cannot be a due date, `YYYY-MM-DD`, each with the reason as text. */
  invalidDates: { [name: string]: string }
}

/** The next step of the exchange of a payment, after its booking. */
export type ExchangeEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'EXCHANGE_SIGNED' | 'EXCHANGE_FUNDED' | 'EXCHANGE_PAYOUT_ORDERED' | 'EXCHANGE_PAID_OUT' | 'EXCHANGE_PAYOUT_RETURNED' | 'EXCHANGE_REFUNDED' | 'EXCHANGE_UNDOING' | 'EXCHANGE_UNDONE'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: ExchangeProgress
}

/** The domestic payment to the provider: a separate order at the bank. */
export type ExchangeFunding = {
  amount: Money
  /** The reference in the funding payment, by which the provider matches it. */
  referenceCode: string
  /**
   * Unsigned: waits for its signature. Signed: the bank executes it. Arrived: the provider received it. NotFunded: no
   * money is expected any more; late money is returned.
   */
  status: 'Unsigned' | 'Signed' | 'Arrived' | 'NotFunded'
  /** The deadline for signing. */
  signBefore: Timestamp
  /** When it was signed, if known. */
  signedAt?: Timestamp
}

/** The company, and the id of the payment. */
export type ExchangeMetadata = {
  /** The country of the company that pays (ISO 3166-1 alpha-2). */
  organizationCountryCode: string
  /** The organisation number of the company that pays. */
  organizationNumber: string
  /**
   * The partner’s own identification of the payment. It is stored unchanged. To the bank it is sent truncated to what
   * the bank accepts, at most 35 characters: the beginning, a hyphen and eight hexadecimal digits of a digest. Some
   * banks do not accept one; it is not sent to them.
   */
  endToEndId: string
}

/** A payment in another currency than that of the debtor account. */
export type ExchangeOrder = {
  metadata: ExchangeMetadata
  from: ExchangeSender
  to: ExchangeReceiver
  amount: ExchangeAmount
  /** The day on which the sender’s bank pays, `YYYY-MM-DD`; see GET /api/fx/calendar. */
  dueDate: string
  remittanceInformation: ExchangeRemittance
  /** Use additionalInformation of the type Purpose; this field is still accepted. @deprecated */
  purposeCode?: string
}

/** The payment from the provider to the receiver. */
export type ExchangePayout = {
  amount: Money
  /**
   * Waiting: for its funding. Ordered: the provider is paying out. Completed: the receiver’s bank received it.
   * Returned: it was returned. Undone: there will be no payout.
   */
  status: 'Waiting' | 'Ordered' | 'Completed' | 'Returned' | 'Undone'
  /** The day on which the receiver is usually paid. */
  expectedDate: string
  returnedAmount?: Money
}

/** What changed. */
export type ExchangeProgress = {
  /** The payment; null where funds for a quote arrived without one. */
  paymentId: string | null
  /** The reference of the funding payment, as in the quote. */
  referenceCode: string
  /** The step, as in the `timeline` of the payment. */
  step: 'Signed' | 'Funded' | 'PayoutOrdered' | 'PaidOut' | 'PayoutReturned' | 'Refunded' | 'Undoing' | 'Undone'
}

/** The cost of the exchange (`costAmount`) and what the receiver gets (`requestedAmount`), until it expires. */
export type ExchangeQuote = {
  /** Identifies the quote for booking. */
  quoteId: string
  /** The endToEndId of the request. */
  endToEndId: string
  requestedAmount: Money
  costAmount: Money
  /** Units of the currency of `costAmount` for one unit of that of `requestedAmount`. */
  exchangeRate: string
  /** When the quote expires. */
  quoteExpiryTime: Timestamp
  /** Put it in the message of the payment to the intermediary account; the payment is matched by it. */
  referenceCode: string
  intermediaryAccount: QuoteAccount
  /**
   * By how many percent the price is above the reference rate of the European Central Bank, negative when below; absent
   * where there is no such rate.
   */
  markup?: string
  /** Who pays bank charges: each side its own. */
  chargeBearer: 'SHA'
  /** When the receiver is usually paid. */
  payoutDate: string
}

/** Who is paid, and where. */
export type ExchangeReceiver = {
  account: ExchangeReceiverAccount
  contactInformation: ExchangeReceiverContact
  /** The currency that the receiver gets, where `amount` is what the sender pays (SELL). */
  currency?: string
}

/** The account that is paid: `iban` or `bban`. */
export type ExchangeReceiverAccount = {
  /** The IBAN. */
  iban?: string
  /** The account number in its domestic format, or the IBAN. */
  bban?: string
  /** The bank of that account: a BIC of 8 or 11 capital letters and digits. */
  bic: string
  /** The clearing code of its bank, where the country requires it. */
  clearingCode?: string
}

/** The receiver. */
export type ExchangeReceiverContact = {
  /** The name; 70 characters at most. */
  name: string
  address: CompleteAddress
}

/** The remittance information and the information for the receiving country. */
export type ExchangeRemittance = {
  /** The message for the receiver; 140 characters at most. */
  unstructured: string
  /** Information that the receiving country requires; see its payment requirements. */
  additionalInformation?: AdditionalInformation[]
}

/** Who pays, and from where. */
export type ExchangeSender = {
  /** The debtor account, in its domestic format or as IBAN. */
  bban: string
  /** The bank of that account: a BIC of 8 or 11 capital letters and digits. */
  bic: string
  contactInformation: ExchangeSenderContact
  /** The currency of the debtor account. */
  currency: string
  /** The country of the debtor account (ISO 3166-1 alpha-2). */
  country: string
}

/** Who pays. */
export type ExchangeSenderContact = {
  /** The name; 70 characters at most. */
  name: string
  address: CompleteAddress
}

/** One event of the exchange. */
export type ExchangeStep = {
  /** When it happened. */
  at: Timestamp
  /** The event. Money that is late, or of another amount, is held, then returned. */
  event: 'Quoted' | 'Booked' | 'BookingRefused' | 'Signed' | 'Funded' | 'PayoutOrdered' | 'PaidOut' | 'PayoutReturned' | 'Refunded' | 'Undoing' | 'Undone' | 'MoneyHeld' | 'MoneySentBack' | 'MoneyBackAtSender'
  amount?: Money
  /** The reason, in our text or the provider’s. */
  reason?: string
}

/** The result for a valid order. */
export type ExchangeValidation = {
  /** Always true: an invalid order gets an error. */
  valid: boolean
  /** The endToEndId of the request. */
  endToEndId: string
  /** Warnings to check. */
  warnings: ExchangeWarning[]
}

/** A warning; the order is possible nevertheless. */
export type ExchangeWarning = {
  /**
   * BalanceTooLow: the available balance does not cover the payment, which is due now. DeprecatedField: the field is
   * still accepted, but has a successor. AccountNumberUnverified: a number looks wrong, though valid ones like it
   * exist. DestinationUnverified: other data of the receiver looks wrong. More codes may be added.
   */
  code: 'BalanceTooLow' | 'DeprecatedField' | 'AccountNumberUnverified' | 'DestinationUnverified'
  /** The reason for the warning, as text. */
  reason: string
  /** The path of the field. */
  path: string
}

/** Accounts that the bank returned last and that the consent does not include; absent if there are none. */
export type ExcludedAccounts = {
  /** How many accounts are not listed. */
  count: number
  /**
   * ANOTHER_OWNER: by the name that the bank reports, they belong to another owner than the company of the consent. If
   * it is the company, its registered name has changed: ask the operator. More reasons may be added.
   */
  reason: 'ANOTHER_OWNER'
}

/** A Danish payment form to validate: either its printed line in `value`, or its parts. */
export type FikCheck = {
  /** The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI. */
  country: string
  /** A Danish payment form. */
  type: 'fik'
  /** The printed line, for example `+71<000000000000018+81234567`. */
  value?: string
  /** The type of form: 01, 04, 15, 71, 73 or 75. */
  cardType?: string
  /** The identification of the payment, for the kinds that have one. */
  paymentId?: string
  /** The receiver's creditor or giro number. */
  creditorNumber?: string
  /** A text to the receiver, for the kinds that have one. */
  message?: string
} & ({ value: string } | { cardType: string; creditorNumber: string })

/** A Danish payment form: either its printed line in `value`, or its parts. */
export type FikRemittance = {
  /** A Danish payment form. */
  type: 'fik'
  /** The printed line, for example `+71<000000000000018+81234567`. */
  value?: string
  /** The type of form. */
  cardType?: '01' | '04' | '15' | '71' | '73' | '75'
  /** The identification of the payment, for the kinds that have one. */
  paymentId?: string
  /** The receiver's creditor or giro number. */
  creditorNumber?: string
  /** A text to the receiver, for the kinds that have one. */
  message?: string
} & ({ value: string } | { cardType: '01' | '04' | '15' | '71' | '73' | '75'; creditorNumber: string })

/** Information that the country requires, or accepts if it is sent. */
export type InformationRequired = {
  /** The type of the additionalInformation. */
  type: 'TaxCode' | 'Reason' | 'Purpose'
  /** Whether every payment needs it, in the requested currency or, without one, in any. */
  required: boolean
  requiredAbove?: Money
  /** Its name in the country. */
  name?: string
  /** The format, without separators; absent where only the listed values are accepted. */
  pattern?: string
  /** A valid example. */
  example: string
  /** The accepted codes, where there is a list of them. */
  values: InformationValue[]
}

/** An accepted code. */
export type InformationValue = {
  /** The code. */
  code: string
  /** The meaning of the code. */
  description: string
}

/** The client account of the FX provider that receives the domestic funding payment. */
export type IntermediaryAccount = {
  account: IntermediaryNumber
  contactInformation: IntermediaryHolder
}

/** The address of the account holder, as far as the provider reports it. */
export type IntermediaryAddress = {
  /** The street. */
  streetName: string
  /** The number in the street; may be empty. */
  buildingNumber: string
  /** The town; may be empty. */
  city: string
  /** The postal code; may be empty. */
  postCode: string
  /** The country (ISO 3166-1 alpha-2). */
  country: string
}

/** The account holder. */
export type IntermediaryHolder = {
  /** The name of the account holder. */
  name: string
  address: CompleteAddress
}

/** The identifiers of the account. */
export type IntermediaryNumber = {
  /** The IBAN, where the account has one. */
  iban?: string
  /** The account number in its domestic format. */
  bban?: string
  /** The bank of the account. */
  bic?: string
  /** The clearing code of the bank, where its country has one. */
  clearingCode?: string
}

/** A public key (RFC 7517). */
export type JsonWebKey = {
  /** The family of the key, for example `EC`. */
  kty: string
  /** The id that tokens name in their header. */
  kid: string
  /** What the key is for: `sig`. */
  use?: string
  /** The algorithm, for example `ES256`. */
  alg?: string
  /** The curve. */
  crv?: string
  /** The x coordinate, or the public key of an Edwards curve. */
  x?: string
  /** The y coordinate. */
  y?: string
}

/** The public keys that verify access tokens. */
export type JsonWebKeySet = {
  /** The keys; older ones until their tokens have expired. */
  keys: JsonWebKey[]
}

/** A request with its response. */
export type LoggedRequestDetails = {
  /** The `svc-request-id` of the response. */
  svcRequestId: string
  /** When the request was received, in wall time. */
  receivedAt: Timestamp
  /** The HTTP method. */
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path with its query; tokens are masked. */
  path: string
  /** The HTTP status of the response. */
  status: number
  /** How long it took, in milliseconds. */
  milliseconds: number
  /** The credentials that sent it. */
  clientId: string
  /** Codes of what was rejected; empty without errors. */
  errorCodes: string[]
  /** Fields that the operation does not know; empty without any. */
  warnings: RequestWarning[]
  /** What the request created or requested; null where it is none of these. */
  subject: RequestSubject | null
  /** The `Idempotency-Key`; null without one. */
  idempotencyKey: string | null
  /** The headers that say how the request was meant, by lower-case name. */
  headers: { [name: string]: string }
  /**
   * The body of the request as JSON text, masked, its first 8 000 characters; null if there was none. Secrets, tokens
   * and national ids are masked, and of payrolls and entries everything but the structure.
   */
  requestBody: string | null
  /**
   * The body of the response as JSON text, masked, its first 8 000 characters; null if there was none. Secrets, tokens
   * and national ids are masked, and of payrolls and entries everything but the structure.
   */
  responseBody: string | null
}

/** A request without its bodies. */
export type LoggedRequestSummary = {
  /** The `svc-request-id` of the response. */
  svcRequestId: string
  /** When the request was received, in wall time. */
  receivedAt: Timestamp
  /** The HTTP method. */
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path with its query; tokens are masked. */
  path: string
  /** The HTTP status of the response. */
  status: number
  /** How long it took, in milliseconds. */
  milliseconds: number
  /** The credentials that sent it. */
  clientId: string
  /** Codes of what was rejected; empty without errors. */
  errorCodes: string[]
  /** Fields that the operation does not know; empty without any. */
  warnings: RequestWarning[]
  /** What the request created or requested; null where it is none of these. */
  subject: RequestSubject | null
  /** The `Idempotency-Key`; null without one. */
  idempotencyKey: string | null
}

/** A message to validate. */
export type MessageCheck = {
  /** The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI. */
  country: string
  /** A free text. */
  type: 'message'
  /** The text shown to the receiver; characters are validated by country, and a bank may accept fewer. */
  value: string
}

/** A message. */
export type MessageRemittance = {
  /** A free text. */
  type: 'message'
  /** The text shown to the receiver; see the bank's constraints for length and characters. */
  value: string
  /** A text shown to the debtor only, where the bank supports it: 20 characters, 35 in Finland. */
  debtorReference?: string
}

/** The message to the receiver. */
export type MessageRequired = {
  /**
   * The maximum length of the message. In cross-border payments the additionalInformation precedes it and counts
   * towards this length.
   */
  maxLength: number
  /** Messages that match are sent unchanged. Others may be transliterated, for example ø to oe. */
  pattern: string
}

/** An amount and its currency. */
export type Money = {
  /** A decimal with a point and no sign, exponent or separators, for example `1250.00`. */
  amount: string
  /** The currency (ISO 4217), for example `NOK`. */
  currency: string
}

/** What changed. */
export type NewAccountEntries = {
  /** The account: `stableId` in the list of accounts. */
  accountStableId: string
  /** The consent under which the account was read. */
  consentId: string
  /** How many booked entries there are more than before. */
  newEntries: number
  /** The first booking date with a new entry; `fromDate` of the list of entries. */
  fromDate: string
  /** The last booking date with a new entry. */
  toDate: string
}

/** A reference to validate. */
export type OcrCheck = {
  /** The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI. */
  country: string
  /** A reference that the receiver assigned. */
  type: 'ocr'
  /** The reference: KID in Norway, OCR in Sweden, viitenumero or RF in Finland. */
  value: string
}

/** A reference; must be used when the receiving account is an OCR account. */
export type OcrRemittance = {
  /** A reference that the receiver assigned. */
  type: 'ocr'
  /** The reference: KID in Norway, OCR in Sweden, viitenumero or RF in Finland. */
  value: string
}

/** An onboarding of a company. */
export type Onboarding = {
  /** The onboarding. */
  id: string
  status: OnboardingStatus
  /** The reason; null if there is none. */
  statusReason: OnboardingStatusReason | null
  /** The country of the company (ISO 3166-1 alpha-2). */
  country: string
  /** The organisation number. */
  organizationNumber: string
  /** The name in the registry; null until the url is opened. */
  organizationName: string | null
  /** Where the user returns to. */
  redirectUrl: string | null
  /** When it was created. */
  createdAt: Timestamp
  /** When it last changed. */
  updatedAt: Timestamp
  /** When it expires without further activity; null during manual review and once it has ended. */
  expiresAt: Timestamp | null
  /** The company's tasks, done and open. */
  tasks: OnboardingTask[]
}

/** The company to onboard. */
export type OnboardingRequest = {
  /** The country of the company (ISO 3166-1 alpha-2). */
  country: string
  /** The organisation number of the company. */
  organizationNumber: string
  /**
   * Where the user returns to, with `status=success|cancelled`. A URI whose origin (`https://erp.example`) or scheme
   * (`myerp:`) is registered for you, without credentials; in the sandbox any https origin and loopback http, too. It
   * is returned as it was written, with `status` added to the query, before a fragment.
   */
  redirectUrl?: string
}

/** A started onboarding. */
export type OnboardingStarted = {
  /** Identifies the onboarding. */
  id: string
  /** Where to send the user. The link gives access to the company's onboarding: do not share it. */
  url: string
}

/**
 * Created: the url was not opened yet. AwaitingCustomerAction: the company must act. ManualHandling: we review it.
 * Accepted: the company is onboarded. Rejected: see the reason. Cancelled: by you, by the company, or because another
 * onboarding of the same company was accepted. Expired: no activity for 24 hours.
 */
export type OnboardingStatus = 'Created' | 'AwaitingCustomerAction' | 'ManualHandling' | 'Accepted' | 'Rejected' | 'Cancelled' | 'Expired'

/** What changed. */
export type OnboardingStatusChange = {
  /** The onboarding. */
  onboardingId: string
  previousStatus: OnboardingStatus
  status: OnboardingStatus
  /** The reason; null if there is none. */
  statusReason: OnboardingStatusReason | null
}

/** A change of an onboarding's status. */
export type OnboardingStatusEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION' | 'ONBOARDING_STATUS_MANUAL_HANDLING' | 'ONBOARDING_STATUS_ACCEPTED' | 'ONBOARDING_STATUS_REJECTED' | 'ONBOARDING_STATUS_CANCELLED' | 'ONBOARDING_STATUS_EXPIRED'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: OnboardingStatusChange
}

/**
 * CompanyNotFound: the company is not in the registry, or was deleted. UnsupportedCompanyType: companies of its form
 * are not supported. RiskEvaluation: a manual review is or was needed. SignatureExpired: the form was complete, but
 * signatures were missing. MissingDocuments: documents that we requested are still missing.
 */
export type OnboardingStatusReason = 'CompanyNotFound' | 'UnsupportedCompanyType' | 'RiskEvaluation' | 'SignatureExpired' | 'MissingDocuments'

/** One task of the company. */
export type OnboardingTask = {
  /** The type of the task; Documents only if we requested some. */
  type: 'CompanyDetails' | 'BeneficialOwners' | 'Signers' | 'Terms' | 'Summary' | 'Signatures' | 'Documents'
  /** Open or done. */
  status: 'Open' | 'Done'
}

/** The country's own account number, where it is accepted instead of an IBAN. */
export type OtherAccount = {
  /** The format, without separators. */
  pattern: string
  /** A valid example. */
  example: string
  /** Whether the clearing code is needed too. */
  clearingCodeRequired: boolean
}

/** A payment with its status history. */
export type Payment = DomesticPaymentShown | CrossBorderPaymentShown

/** The debtor or creditor account of a payment. */
export type PaymentAccount = {
  /** The type of account number. */
  type: 'bban'
  /** The account number. */
  bban: string
}

/** The outcome of one payment of an approval. */
export type PaymentApprovalResult = {
  /** The payment. */
  paymentId: string
  result: ApprovalStatus
  paymentStatus: PaymentStatus
}

/** The creditor and its account. */
export type PaymentCreditor = {
  account: PaymentAccount
  contactInformation: ContactInformation
}

/** The debtor and its account. */
export type PaymentDebtor = {
  account: PaymentAccount
  contactInformation: ContactInformation
  /** The currency of the debtor account. */
  currency: string
  /** The organisation number of the company that pays. */
  organizationNumber?: string
}

/** The payment as accepted by the bank. */
export type PaymentInitiated = {
  /** Identifies the payment for approval and status. */
  paymentId: string
  paymentStatus: PaymentStatus
  /** Warnings to check. */
  warnings?: PaymentWarning[]
}

/** The identification of the payment. */
export type PaymentMetadata = {
  /**
   * The partner’s own identification of the payment. It is stored unchanged. To the bank it is sent truncated to what
   * the bank accepts, at most 35 characters: the beginning, a hyphen and eight hexadecimal digits of a digest. Some
   * banks do not accept one; it is not sent to them.
   */
  endToEndId: string
}

/** A page of payments. */
export type PaymentPage = {
  /** The payments, in an order that is stable between pages. */
  payments: PaymentSummary[]
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null
}

/**
 * The requirements of payments to a country. If receiver and bank are in different countries, the bank's country
 * applies.
 */
export type PaymentRequirement = {
  /** The country (ISO 3166-1 alpha-2). */
  country: string
  /** The English name. */
  name: string
  /** Whether payments to the country are supported; if not, the other fields are absent or empty. */
  supported: boolean
  /** The currencies in which receivers can be paid: all, or the requested one. */
  currencies: CurrencyPaid[]
  account?: AccountRequired
  otherAccount?: OtherAccount
  bic?: BicRequired
  clearingCode?: ClearingCodeRequired
  address?: AddressRequired
  /** Further information that is sent with the payment. */
  additionalInformation: InformationRequired[]
  remittanceInformation?: MessageRequired
  /** Notes for developers and users, with the sources. */
  notes: string[]
}

/** A payment's status as reported by the bank. */
export type PaymentStatus = {
  status: PaymentStatusValue
  statusReason?: PaymentStatusReason
  /** The bank's own text where it maps to no reason; not for end users. */
  statusReasonText?: string
  /** When the status was last read at the bank. */
  timestamp: Timestamp
}

/** What changed. */
export type PaymentStatusChange = {
  /** The payment. */
  paymentId: string
  previousStatus: PaymentStatusValue
  status: PaymentStatusValue
  /** The reason; null if there is none. */
  statusReason: PaymentStatusReason | null
  /** The bank's own text; for operators, not for end users. */
  statusReasonText: string | null
}

/** A change of a payment's status. */
export type PaymentStatusEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** The status that the payment has changed to. */
  type: 'PAYMENT_STATUS_UNSIGNED' | 'PAYMENT_STATUS_IN_PROGRESS' | 'PAYMENT_STATUS_REJECTED' | 'PAYMENT_STATUS_COMPLETED' | 'PAYMENT_STATUS_CANCELLED' | 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of the payment. */
  occurredAt: Timestamp
  data: PaymentStatusChange
}

/**
 * PartlySigned: another signature is needed. SmsConfirmationRequired: the user must confirm by SMS. InsufficientFunds:
 * the account does not cover it.
 */
export type PaymentStatusReason = 'PartlySigned' | 'SmsConfirmationRequired' | 'InsufficientFunds'

/** A payment's status, and whether the outcome at the bank is unknown. */
export type PaymentStatusResponse = {
  status: PaymentStatusValue
  statusReason?: PaymentStatusReason
  /** The bank's own text where it maps to no reason; not for end users. */
  statusReasonText?: string
  /** When the status was last read at the bank. */
  timestamp: Timestamp
  /** True if the outcome of the order is unknown: the bank may or may not have the payment; else absent. */
  outcomeUnknown?: boolean
}

/**
 * Unsigned: the user must approve. InProgress: the bank processes it. Completed: the bank has completed it. Rejected:
 * the bank has rejected it. Cancelled: it was cancelled. CustomerActionRequired: see the reason.
 */
export type PaymentStatusValue = 'Unsigned' | 'InProgress' | 'Completed' | 'Rejected' | 'Cancelled' | 'CustomerActionRequired'

/** A payment in a list. */
export type PaymentSummary = DomesticPaymentListed | CrossBorderPaymentListed

/** A warning; the payment was accepted nevertheless. */
export type PaymentWarning = {
  /**
   * PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24 hours.
   * AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it exist. DueDateMoved: the due
   * date is not a bank day, or its cut-off has passed. ReferenceUnverified: the reference looks wrong, though some
   * receivers use similar ones. NotCarriedByBank: the bank has no field for this, or rejects it incomplete (an address
   * without town or country); it is not sent. BalanceTooLow: the available balance does not cover the payment, which is
   * due now. ReportingUnverified: the regulatory reporting looks incomplete, or its code is unknown. More codes may be
   * added.
   */
  code: 'PossibleDuplicate' | 'AccountNumberUnverified' | 'DueDateMoved' | 'ReferenceUnverified' | 'NotCarriedByBank' | 'BalanceTooLow' | 'ReportingUnverified'
  /** The reason for the warning, as text. */
  reason?: string
  /** The path of the field, for example `.dueDate`. */
  path?: string
  /** With DueDateMoved: the day on which the bank executes the payment if it is signed now. */
  expectedExecutionDate?: string
  /** The other payment that the warning refers to. */
  paymentId?: string
}

/** The debtor account. */
export type PayrollAccountSummary = {
  /** The account number. */
  bban: string
}

/** The approval of one or more payrolls by one user. */
export type PayrollApproval = {
  /** Identifies the approval. */
  id: string
  status: ApprovalStatus
  sca?: ScaRedirect
  /** The payrolls of the approval. */
  payrolls?: PayrollApprovalResult[]
  /** How many signatures are needed; null if the bank does not report it. */
  requiredSignatures?: number | null
  /** How many signatures are missing; null if the bank does not report it. */
  remainingSignatures?: number | null
}

/** The payrolls to sign: `payrolls` or `payrollId`. */
export type PayrollApprovalRequest = {
  /** The payrolls to sign, of one bank and company; if present, `payrollId` is ignored. */
  payrolls?: string[]
  /** The payroll to sign, if it is only one. */
  payrollId?: string
  /**
   * Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you,
   * without credentials; in the sandbox any https origin and loopback http, too. It is returned as it was written, with
   * `status` added to the query, before a fragment.
   */
  callbackUrl: string
  preferredScaMethod?: PreferredScaMethod
} & ({ payrolls: string[] } | { payrollId: string })

/** The outcome of one payroll of an approval. */
export type PayrollApprovalResult = {
  /** Identifies the payroll for approval, cancellation and status. */
  payrollId: string
  result: ApprovalStatus
  currentPayrollStatus: CurrentPayrollStatus
}

/** The payrolls of a bulk, and their approval. */
export type PayrollBulkInitiated = {
  /** Identifies the bulk, and the approval of all its payrolls. */
  id: string
  /** Every payroll, in the order of the request. */
  payrolls: PayrollInitiated[]
  status: ApprovalStatus
  sca?: PayrollBulkSca
}

/** Several payrolls that are ordered and signed together. */
export type PayrollBulkRequest = {
  /**
   * Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you,
   * without credentials; in the sandbox any https origin and loopback http, too. It is returned as it was written, with
   * `status` added to the query, before a fragment.
   */
  callbackUrl: string
  preferredScaMethod?: PreferredScaMethod
  /** The payrolls, which are signed together; no more than the `maxBulkSize` of the bank. */
  payrolls: PayrollRequest[]
}

/** How the user authenticates. */
export type PayrollBulkSca = {
  redirect: ScaRedirect
}

/** A cancellation request for a payroll. The payroll itself becomes Cancelled once the bank confirms it. */
export type PayrollCancellation = {
  /** Identifies the cancellation. */
  id: string
  sca?: ScaRedirect
  cancellationRequestStatus?: CancellationRequestStatus
  currentPayrollStatus: CurrentPayrollStatus
  /** Why the payroll, or a part of it, is not cancelled; null if there is no reason. */
  reason: string | null
  progress?: PayrollCancellationProgress
}

/** Present, in place of cancellationRequestStatus, until the bank has answered for every order. */
export type PayrollCancellationProgress = {
  /** The orders for which the bank has answered. */
  answered: number
  /** The orders of the payroll that are to be cancelled. */
  orders: number
}

/** The payroll to cancel. */
export type PayrollCancellationRequest = {
  /** The id of the payroll to cancel. */
  payrollId: string
  /**
   * Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you,
   * without credentials; in the sandbox any https origin and loopback http, too. It is returned as it was written, with
   * `status` added to the query, before a fragment.
   */
  callbackUrl: string
  preferredScaMethod?: PreferredScaMethod
}

/** The receiver’s account. */
export type PayrollCreditorAccount = {
  /**
   * The account number in its domestic format, as digits or as it is printed, like that of the debtor; other separators
   * are rejected. In Sweden also Bankgiro (`5402-9681`, `BG 54029681`) and Plusgiro (`902003-3`, `PG 9020033`), where
   * the bank supports them. In Denmark, with a FIK, it is the creditor or giro number of the form.
   */
  bban: string
}

/** The debtor and its account. */
export type PayrollDebtor = {
  account: PayrollDebtorAccount
  /** The name of the organisation that pays. */
  name: string
  /** The organisation number of the company that pays. */
  organizationNumber?: string
}

/** The debtor account; one of those on the consent. */
export type PayrollDebtorAccount = {
  /**
   * The account number in its domestic format, as digits or as it is printed. Norway: 11 digits (`8601.11.17947`).
   * Sweden: clearing and account number (`5439-1024039`). Denmark: registration and account number (`0040 0440116243`).
   * Finland: the IBAN, or its 14 digits. The IBAN of an account on the consent is accepted too. Other separators are
   * rejected, because they may be decimals of a spreadsheet.
   */
  bban: string
}

/** The debtor and its account. */
export type PayrollDebtorSummary = {
  account: PayrollAccountSummary
  /** The name of the organisation that pays. */
  name: string
  /** The organisation number of the company that pays. */
  organizationNumber?: string
}

/** The accepted payroll. */
export type PayrollInitiated = {
  /** Identifies the payroll for approval, cancellation and status. */
  payrollId: string
  /** Every transaction, in the order of the request. */
  transactions: PayrollTransaction[]
  /** Warnings to check; the first 1 000. */
  warnings?: PayrollWarning[]
}

/** A message. */
export type PayrollMessage = {
  /** A free text. */
  type: 'message'
  /** The text shown to the receiver; see the bank's constraints for length and characters. */
  value: string
}

/** A page of payrolls. */
export type PayrollPage = {
  /** The payrolls, in an order that is stable between pages. */
  payrolls: PayrollSummary[]
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null
}

/** SALA salary; the only value. */
export type PayrollPurposeCode = 'SALA'

/** The remittance information of a transaction: a message, or the reference that an OCR account requires. */
export type PayrollRemittance = PayrollMessage | OcrRemittance

/** Transactions from one account on one day, which are signed together. */
export type PayrollRequest = {
  from: PayrollDebtor
  /**
   * The transactions, 10 000 at most unless configured otherwise, and no more than the `maxPayrollSize` of the bank.
   * All are in the currency of the country, and each endToEndId is unique.
   */
  transactions: PayrollTransactionRequest[]
  /** The day on which the bank pays, `YYYY-MM-DD`; must be a bank day, since salaries must arrive before a holiday. */
  dueDate: string
  purposeCode: PayrollPurposeCode
}

/** The status of a payroll and of each transaction. */
export type PayrollStatus = {
  /** Identifies the payroll for approval, cancellation and status. */
  payrollId: string
  currentPayrollStatus: CurrentPayrollStatus
  /** Whether every status is final; a bank may still change one later, for example by a return. */
  finalStatus: boolean
  /** Whether the outcome of an order is unknown: the bank may or may not have it. */
  outcomeUnknown: boolean
  /** Every transaction, in the order of the request. */
  transactions: PayrollTransaction[]
}

/** What changed. */
export type PayrollStatusChange = {
  /** The payroll. */
  payrollId: string
  previousStatus: PaymentStatusValue
  status: PaymentStatusValue
}

/** A change of a payroll's status. */
export type PayrollStatusEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'PAYROLL_STATUS_UNSIGNED' | 'PAYROLL_STATUS_IN_PROGRESS' | 'PAYROLL_STATUS_REJECTED' | 'PAYROLL_STATUS_COMPLETED' | 'PAYROLL_STATUS_CANCELLED' | 'PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: PayrollStatusChange
}

/** A payroll in a list, without its transactions. */
export type PayrollSummary = {
  /** Identifies the payroll for approval, cancellation and status. */
  payrollId: string
  currentPayrollStatus: CurrentPayrollStatus
  /** Whether every status is final; a bank may still change one later, for example by a return. */
  finalStatus: boolean
  /** Whether the outcome of an order is unknown: the bank may or may not have it. */
  outcomeUnknown: boolean
  from: PayrollDebtorSummary
  /** The number of transactions. */
  transactionCount: number
  totalAmount: Money
  /** The due date. */
  dueDate: string
  /** The bulk of the payroll. */
  bulkId?: string
  /** When the payroll was ordered. */
  createdAt: Timestamp
  /** When the status of the payroll or of a transaction last changed. */
  updatedAt: Timestamp
}

/** The status of one transaction. */
export type PayrollTransaction = {
  /** The endToEndId of the transaction. */
  endToEndId: string
  /** When the status of the transaction was last updated. */
  timestamp: Timestamp
  payrollStatus: PaymentStatusValue
  payrollStatusReason?: PaymentStatusReason
  /** Further information from the bank in our text: its own may contain personal data. Not for end users. */
  payrollStatusReasonText?: string
}

/** One transaction of a payroll. */
export type PayrollTransactionRequest = {
  metadata: PaymentMetadata
  /** The name of the receiver. */
  name: string
  account: PayrollCreditorAccount
  amount: Money
  remittanceInformation: PayrollRemittance
}

/** What changed. */
export type PayrollTransactionStatusChange = {
  /** The payroll. */
  payrollId: string
  status: PaymentStatusValue
  /** The transactions that now have this status. Nothing else about them is sent. */
  transactions: ChangedPayrollTransaction[]
}

/** Transactions of a payroll have changed to one status. Never names, accounts or amounts. */
export type PayrollTransactionStatusEvent = {
  /** Identifies the event; the same in every delivery of it. */
  id: string
  /** What happened. */
  type: 'PAYROLL_TRANSACTION_STATUS_UNSIGNED' | 'PAYROLL_TRANSACTION_STATUS_IN_PROGRESS' | 'PAYROLL_TRANSACTION_STATUS_REJECTED' | 'PAYROLL_TRANSACTION_STATUS_COMPLETED' | 'PAYROLL_TRANSACTION_STATUS_CANCELLED' | 'PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED'
  /** The version of this shape. */
  version: '1'
  /** When it happened; later than every earlier event of this family about the same subject. */
  occurredAt: Timestamp
  data: PayrollTransactionStatusChange
}

/** A warning; the payroll was accepted nevertheless. */
export type PayrollWarning = {
  /**
   * PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24 hours.
   * AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it exist. DueDateMoved: the due
   * date is not a bank day, or its cut-off has passed. ReferenceUnverified: the reference looks wrong, though some
   * receivers use similar ones. NotCarriedByBank: the bank has no field for this, or rejects it incomplete (an address
   * without town or country); it is not sent. BalanceTooLow: the available balance does not cover the payment, which is
   * due now. ReportingUnverified: the regulatory reporting looks incomplete, or its code is unknown. More codes may be
   * added.
   */
  code: 'PossibleDuplicate' | 'AccountNumberUnverified' | 'DueDateMoved' | 'ReferenceUnverified' | 'NotCarriedByBank' | 'BalanceTooLow' | 'ReportingUnverified'
  /** The reason for the warning, as text. */
  reason?: string
  /** The path of the field, for example `.transactions[3].account.bban`. */
  path?: string
  /** With DueDateMoved: the day on which the bank executes the transactions if they are signed now. */
  expectedExecutionDate?: string
  /** The other payroll that the warning refers to. */
  payrollId?: string
}

/** The preferred SCA method; the bank may choose another. Qr is possible at Swedish banks only. */
export type PreferredScaMethod = 'Redirect' | 'Qr'

/** SUPP supplier, TAXS tax, SALA salary, VATX value added tax, OTHR other. */
export type PurposeCode = 'SUPP' | 'TAXS' | 'SALA' | 'VATX' | 'OTHR'

/** The account of the FX provider to which the cost is paid. */
export type QuoteAccount = {
  account: QuoteAccountNumber
  contactInformation: QuoteAccountHolder
}

/** The account holder. */
export type QuoteAccountHolder = {
  /** The name of the account holder. */
  name: string
  address: IntermediaryAddress
}

/** The identifiers of the account. */
export type QuoteAccountNumber = {
  /** The IBAN. */
  iban: string
  /** The account number in the domestic format of the debtor’s country. */
  bban: string
  /** The bank of the account. */
  bic: string
  /** The clearing code of the bank, where its country has such codes. */
  clearingCode?: string
}

/** The limits of the bank for one payment rail. */
export type RailLimits = {
  /** The payment rail: to an account, to a Swedish giro number, or by a Danish payment form. */
  rail: 'account' | 'bankgiro' | 'plusgiro' | 'payment-form'
  /** The largest amount of one payment; null where only maxAmounts applies. */
  maxAmount: Money | null
  /** The maximum length of the receiver's name. */
  maxRecipientNameLength: number
  /** The maximum length of a message. */
  maxUnstructuredRemittanceInfoLength: number
}

/** A company that is registered for account information. */
export type Registration = {
  /** The country of the company (ISO 3166-1 alpha-2). */
  country: string
  /** The organisation number. */
  organizationNumber: string
  /** The name in the registry. */
  organizationName: string
  /** The services of the company. */
  services: CompanyService[]
  /** Whether the company has an active subscription. */
  activeSubscription: boolean
  /** When it was registered. */
  registeredAt: Timestamp
}

/** The company to register. */
export type RegistrationRequest = {
  /** The country of the company (ISO 3166-1 alpha-2). */
  country: 'NO' | 'SE' | 'DK'
  /** The organisation number of the company. */
  organizationNumber: string
}

/** A purpose of payment for regulatory reporting. */
export type RegulatoryCode = {
  /** The code. */
  code: string
  /** The meaning of the code. */
  description: string
  /** The same in the country's language. */
  localDescription: string
}

/** The reporting codes of payments abroad, and the amount above which payments are reported. */
export type RegulatoryCodes = {
  /** The country (ISO 3166-1 alpha-2). */
  countryCode: string
  threshold?: Money
  /** The maximum length of `information`; 0 if it is not accepted. */
  informationMaxLength: number
  /** The codes; empty if nothing is reported. */
  codes: RegulatoryCode[]
}

/**
 * Reported to the authorities of the payer’s country. Norway and Sweden only; required there above 100 000 NOK and 150
 * 000 SEK; other currencies are converted at the day’s reference rate.
 */
export type RegulatoryReporting = {
  /** The purpose of the payment: a regulatory code of the payer’s country. */
  code: string
  /** The purpose as text, at most 35 characters. Norway only, where banks may require it. */
  information?: string
}

/** A check digit algorithm; None: the type has no check digit. */
export type RemittanceCheckMethod = 'Modulus10' | 'Modulus10LengthDigit' | 'Modulus11' | 'Modulus97' | 'Weights731' | 'None'

/** The remittance information. */
export type RemittanceInformation = MessageRemittance | OcrRemittance | FikRemittance

/** The result of the validation. */
export type RemittanceValidation = {
  /** Whether a payment to that country may carry it, by the rules of the country. */
  valid: boolean
  /** The check digit algorithm that it passed; None if its type has no check digit, null if it is not valid. */
  checkMethod: RemittanceCheckMethod | null
  /** The normalised value, without spaces and padded; null if it is not valid. */
  normalized: string | null
  /** Why it is not valid, or what looks wrong although it is valid, as text. */
  reason: string | null
}

/** The remittance information to validate. */
export type RemittanceValidationRequest = MessageCheck | OcrCheck | FikCheck

/** A page of the request log. */
export type RequestPage = {
  /** A page of requests, newest first. */
  requests: LoggedRequestSummary[]
  /** The cursor of the next page; null at the end of the log. */
  nextCursor: string | null
}

/** What a request created, or requested by its id. */
export type RequestSubject = {
  /** What it is. */
  type: 'payment' | 'payroll' | 'consent' | 'approval' | 'cancellation' | 'onboarding' | 'subscription'
  /** Its id. */
  id: string
}

/** A field that was ignored, as in the header `Havn-Warnings`. */
export type RequestWarning = {
  /** What it warns of. */
  code: 'UnknownField'
  /** Where the field is. */
  in: 'body' | 'query'
  /** The field; in a list, its first occurrence. */
  path: string
  /** The known field with the most similar name; null if there is none. */
  nearest: string | null
}

/** Inbound funds. */
export type SandboxArrival = {
  /** The provider's account: that of a quote's or a payment's `intermediaryAccount`. */
  iban: string
  /** In the currency of the account. */
  amount: string
  /** The message of the payer. */
  reference?: string
  /** Who pays. */
  senderName?: string
  /** The account of the payer. */
  senderIban?: string
}

/** The result of sending funds. */
export type SandboxArrived = {
  /** The inbound payments: empty if lost, two if duplicated. */
  arrived: SandboxInboundPayment[]
}

/** The two times of the sandbox. */
export type SandboxClock = {
  /** Business time: due dates, deadlines, settlement, expiry of consents and quotes. */
  now: Timestamp
  /** Wall time: tokens, signatures, rate limits. */
  real: Timestamp
  /** How far business time is ahead of wall time, in seconds. */
  offsetSeconds: number
  /** The target of a move that is in progress; absent when there is none. `now` shows how far it has come. */
  movingTo?: Timestamp
}

/** How a consent ends. */
export type SandboxConsentEnd = {
  /** It expired, its user revoked it in the netbank, or the bank did. */
  how: 'expired' | 'revoked-by-user' | 'revoked-by-bank'
}

/** What the user does at the bank: sign, reject, or leave without deciding. */
export type SandboxDecision = 'sign' | 'reject' | 'leave'

/** The entry to book. */
export type SandboxEntry = {
  /** Negative for a debit. */
  amount: string
  /** The other party. */
  counterparty: string
  /** A message. */
  message?: string
  /** A structured reference. */
  reference?: string
}

/** An entry that was booked. */
export type SandboxEntryBooked = {
  /** The account. */
  bban: string
  /** The booking date. */
  bookedOn: string
}

/** A simulated fault of the FX provider. */
export type SandboxExchangeFault = {
  /**
   * Calls: `down` (its port is closed; without `times`), `slow`, `too-many-requests`, and `lose-answer`, which executes
   * the request. Deals: `quote-expires-early`, `no-rate`, `closed` and the `refuse-…` ones. Money that a bank sends: it
   * arrives `seconds` late, short by `amount`, twice, without its reference, or never. Payouts: suspended, failed, or
   * returned by the receiver’s bank. `notice-lost`: no notification is sent.
   */
  effect: 'down' | 'slow' | 'too-many-requests' | 'lose-answer' | 'quote-expires-early' | 'no-rate' | 'closed' | 'refuse-booking' | 'refuse-cancelling' | 'refuse-beneficiary' | 'refuse-payment' | 'funding-late' | 'funding-short' | 'funding-double' | 'funding-without-reference' | 'funding-lost' | 'payment-suspended' | 'payment-failed' | 'payment-returned' | 'notice-lost'
  /** How many times it applies. */
  times?: number
  /** The delay of the money, or the validity of a quote. */
  seconds?: number
  /** The missing amount; a tenth by default. */
  amount?: string
}

/** A simulated fault of a bank. */
export type SandboxFault = {
  /**
   * `down`: it cannot be reached. `slow`: every response is delayed. `lose-next-answer`: it accepts the next order or
   * cancellation, of a payment or of a bulk, and its response is lost.
   */
  effect: 'down' | 'slow' | 'lose-next-answer'
  /** The delay of a slow bank; 3000 by default. */
  milliseconds?: number
}

/** An inbound payment at the provider. */
export type SandboxInboundPayment = {
  /** The amount. */
  amount: string
  /** Its currency. */
  currency: string
  /** `completed`, or `pending` until it arrives. */
  status: string
}

/** The webhook inbox of the partner. */
export type SandboxInbox = {
  /** The `targetUrl` for subscriptions. */
  url: string
}

/** A request that the inbox has received. */
export type SandboxInboxDelivery = {
  /** Identifies what was received. */
  id: string
  /** When it was received, in wall time. */
  receivedAt: Timestamp
  /** The header `X-SVC-Webhook-Event`; null without it. */
  eventType: string | null
  /** The headers by lower-case name; the token of `authorization` is masked. */
  headers: { [name: string]: string }
  /** The exact body. */
  body: string
  /**
   * Whether it was signed with the secret of a subscription of the inbox, within five minutes. All but `valid` were
   * answered with 401.
   */
  signature: 'valid' | 'missing' | 'expired' | 'wrong'
}

/** Details of the step. */
export type SandboxOnboardingDetails = {
  /** With `sign`: only this signer, counted from 0. */
  signer?: number
  /** With `reject`: the reason; RiskEvaluation by default. */
  reason?: 'CompanyNotFound' | 'UnsupportedCompanyType' | 'RiskEvaluation' | 'MissingDocuments'
  /** With `ask-for-documents`: which. */
  words?: string
}

/**
 * The company: `fill` opens the url, enters the data of the registry and confirms it; `sign` signs as every signer who
 * has not signed; `refuse` rejects as the next signer; `hand-in` uploads a document; `stop` cancels it. The operators,
 * during manual review: `accept`, `reject`, `ask-for-documents`.
 */
export type SandboxOnboardingStep = 'fill' | 'sign' | 'refuse' | 'hand-in' | 'stop' | 'accept' | 'reject' | 'ask-for-documents'

/** The status that the bank reports for a payment. */
export type SandboxPaymentStatus = {
  /** The bank's status code, such as ACSP or RJCT. */
  transactionStatus: 'RCVD' | 'PDNG' | 'PATC' | 'ACTC' | 'ACCP' | 'ACFC' | 'ACWC' | 'ACWP' | 'ACSP' | 'ACSC' | 'ACCC' | 'PART' | 'RJCT' | 'CANC'
  /**
   * Why the bank rejects or cancels it, which it then reports: `cancelled-by-bank` with `CANC`, the others with `RJCT`.
   * A payment that is booked is returned.
   */
  reason?: 'daily-limit' | 'account-closed' | 'insufficient-funds' | 'returned' | 'cancelled-by-bank'
}

/**
 * In the netbank: `sign` and `cancel`. `take-back`: the second signer rejects it. `release`: the required SMS
 * confirmation is given. `settle`: the bank books it now.
 */
export type SandboxPaymentStep = 'sign' | 'cancel' | 'take-back' | 'release' | 'settle'

/** The state of a payout. */
export type SandboxPayout = {
  /** The status at the provider, such as `completed`. */
  providerStatus: string
}

/**
 * `send`: it is executed and reaches the receiver. `suspend` and `release`: the provider holds it, and releases it.
 * `fail`: it cannot be paid. `return`: the receiver’s bank returns it.
 */
export type SandboxPayoutEvent = 'send' | 'suspend' | 'release' | 'fail' | 'return'

/** Details of the event. */
export type SandboxPayoutStep = {
  /** The charges that banks deduct from the returned amount; none by default. */
  kept?: string
}

/** The status with which the user returns to the callbackUrl. */
export type SandboxScaOutcome = 'success' | 'rejected' | 'cancelled'

/** The outcome of the simulated SCA. */
export type SandboxScaResult = {
  /** The status with which the user returned; null while the bank has not decided. */
  outcome: SandboxScaOutcome | null
  /** The callbackUrl with its `status`; it is not requested. Null until the user has returned. */
  callback: string | null
}

/** Who acts. */
export type SandboxUser = {
  /** The user's id at the bank; by default the first user that may sign. */
  userId?: string
}

/** How the user authenticates. */
export type Sca = ScaRedirect | ScaQr

/** Authentication by a code that the user's app scans. */
export type ScaQr = {
  /** The user scans a code. */
  type: 'qr'
  /** The code as a PNG, in base64; empty until the bank has created the first one. */
  image: string
  /** The content of the code, to render it yourself; null if the bank gives only the image. */
  code: string | null
  /** Dynamic codes are valid for one second: fetch a new one every second. Static ones last longer. */
  kind: 'Dynamic' | 'Static'
  /**
   * When this code expires. It is in the past while the bank creates the next code, or cannot be reached: the last code
   * is returned until the next one exists.
   */
  validUntil: Timestamp
}

/** Authentication in the browser. */
export type ScaRedirect = {
  /** The user is sent to a URL. */
  type: 'redirect'
  /**
   * Where to send the user's browser. It comes back to callbackUrl with a query parameter `status` of `success`,
   * `rejected` or `cancelled`.
   */
  url: string
}

/** The metadata of the authorisation server (RFC 8414). */
export type ServerMetadata = {
  /** The `iss` of the tokens. */
  issuer: string
  /** Where tokens are issued. */
  token_endpoint: string
  /** Where the public keys are. */
  jwks_uri: string
  /** The grants: `client_credentials`. */
  grant_types_supported: string[]
  /** The supported client authentication methods. */
  token_endpoint_auth_methods_supported: string[]
  /** The scopes of this environment. */
  scopes_supported: string[]
  /** Empty: there is no user login. */
  response_types_supported: string[]
}

/** A structured reference. */
export type StructuredReference = {
  /** The reference. */
  reference: string
  /** The type of the reference, for example `SCOR`. */
  type?: string
}

/** What a test of a subscription delivers. */
export type TestEvent = {
  /** Identifies the event. */
  id: string
  /** A test. */
  type: 'webhook.test'
  /** When the test was requested. */
  createdAt: Timestamp
}

/** An access token. */
export type Token = {
  /** How the token is sent. */
  token_type: 'Bearer'
  /** For how many seconds the token is valid. */
  expires_in: number
  /** The same number of seconds. */
  ext_expires_in: number
  /** The token, a signed JWT. */
  access_token: string
}

/** A request by the client credentials grant of RFC 6749. */
export type TokenRequest = {
  /** Must be `client_credentials`. */
  grant_type: string
  /** The scope of the environment, for example `api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default`. */
  scope: string
  /** The client id; required unless sent by HTTP Basic. */
  client_id?: string
  /** The secret; required unless sent by HTTP Basic. */
  client_secret?: string
}

/** A subscription after its update. */
export type UpdatedWebhookSubscription = {
  /** Identifies the subscription. */
  id: string
  /** The URL for deliveries: https, a public host, no user name or password, no fragment. */
  targetUrl: string
  /** Whether new events are delivered; false for good. */
  enabled: boolean
  /** Whether new events wait until it is resumed. */
  paused: boolean
  /** When it was created. */
  createdAt: Timestamp
  /** When it was last changed. */
  updatedAt: Timestamp
  /** The event types to deliver; each event is delivered once, even if two of the types select it. */
  eventTypes: WebhookEventType[]
  /** Whether deliveries carry a bearer token; it is never shown. */
  hasBearerToken: boolean
  /** Warnings to check. */
  warnings?: WebhookSubscriptionWarning[]
}

/** One attempt at a delivery. */
export type WebhookAttempt = {
  /** When it started, in business time. */
  at: Timestamp
  /** Its duration. */
  durationMilliseconds: number
  /** The HTTP status of the response; null if there was none. */
  statusCode: number | null
  /** The first kilobyte of the response body. */
  answer: string | null
  /** Why it did not succeed; null when it did. */
  error: string | null
}

/** The bearer token that deliveries carry. */
export type WebhookBearerToken = {
  /** The token without `Bearer ` in front: printable ASCII characters. */
  bearerToken: string
}

/** Deliveries of this event type. */
export type WebhookDeliveredEventType = 'PAYMENT_STATUS_UNSIGNED' | 'PAYMENT_STATUS_IN_PROGRESS' | 'PAYMENT_STATUS_REJECTED' | 'PAYMENT_STATUS_COMPLETED' | 'PAYMENT_STATUS_CANCELLED' | 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED' | 'PAYROLL_STATUS_UNSIGNED' | 'PAYROLL_STATUS_IN_PROGRESS' | 'PAYROLL_STATUS_REJECTED' | 'PAYROLL_STATUS_COMPLETED' | 'PAYROLL_STATUS_CANCELLED' | 'PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED' | 'PAYROLL_TRANSACTION_STATUS_UNSIGNED' | 'PAYROLL_TRANSACTION_STATUS_IN_PROGRESS' | 'PAYROLL_TRANSACTION_STATUS_REJECTED' | 'PAYROLL_TRANSACTION_STATUS_COMPLETED' | 'PAYROLL_TRANSACTION_STATUS_CANCELLED' | 'PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED' | 'APPROVAL_STATUS_ACCEPTED' | 'APPROVAL_STATUS_REJECTED' | 'APPROVAL_STATUS_CANCELLED' | 'CONSENT_ACCEPTED' | 'CONSENT_REJECTED' | 'CONSENT_CANCELLED' | 'CONSENT_EXPIRED' | 'CONSENT_REVOKED' | 'CONSENT_EXPIRING' | 'ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION' | 'ONBOARDING_STATUS_MANUAL_HANDLING' | 'ONBOARDING_STATUS_ACCEPTED' | 'ONBOARDING_STATUS_REJECTED' | 'ONBOARDING_STATUS_CANCELLED' | 'ONBOARDING_STATUS_EXPIRED' | 'EXCHANGE_SIGNED' | 'EXCHANGE_FUNDED' | 'EXCHANGE_PAYOUT_ORDERED' | 'EXCHANGE_PAID_OUT' | 'EXCHANGE_PAYOUT_RETURNED' | 'EXCHANGE_REFUNDED' | 'EXCHANGE_UNDOING' | 'EXCHANGE_UNDONE' | 'ACCOUNT_ENTRIES_BOOKED' | 'webhook.test'

/** The delivery of one event to one subscription. */
export type WebhookDelivery = {
  /** Identifies the delivery; the same in each of its attempts. */
  id: string
  /** The delivered event. */
  eventId: string
  /** The type of the event. */
  eventType: string
  status: WebhookDeliveryStatus
  /** When it was queued. */
  createdAt: Timestamp
  /** The number of attempts. */
  attemptsMade: number
  /** When the next attempt is due; null if there is none. */
  nextAttemptAt: Timestamp | null
  /** Why the last attempt did not succeed; null when it did, or when there was none. */
  lastError: string | null
  /** The target URL at the time when the delivery was queued. */
  targetUrl: string
  /** The exact body. */
  body: string
  /** Every attempt, oldest first. */
  attempts: WebhookAttempt[]
}

/** A page of deliveries. */
export type WebhookDeliveryPage = {
  /** A page of deliveries. */
  deliveries: WebhookDeliverySummary[]
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null
}

/**
 * Queued: waits for its first or next attempt. Delivered: answered 2xx. Failed: all attempts failed. Refused: the URL
 * leads to a forbidden address; nothing was sent.
 */
export type WebhookDeliveryStatus = 'Queued' | 'Delivered' | 'Failed' | 'Refused'

/** A delivery without its body and attempts. */
export type WebhookDeliverySummary = {
  /** Identifies the delivery; the same in each of its attempts. */
  id: string
  /** The delivered event. */
  eventId: string
  /** The type of the event. */
  eventType: string
  status: WebhookDeliveryStatus
  /** When it was queued. */
  createdAt: Timestamp
  /** The number of attempts. */
  attemptsMade: number
  /** When the next attempt is due; null if there is none. */
  nextAttemptAt: Timestamp | null
  /** Why the last attempt did not succeed; null when it did, or when there was none. */
  lastError: string | null
}

/** An event; `type` says which. */
export type WebhookEvent = PaymentStatusEvent | PayrollStatusEvent | PayrollTransactionStatusEvent | ApprovalStatusEvent | ConsentEvent | OnboardingStatusEvent | ExchangeEvent | AccountEntriesEvent

/** A page of events. */
export type WebhookEventPage = {
  /** Events, oldest first, as they are delivered. */
  events: WebhookEvent[]
  /** The position of the end of this page, to be sent as `after`. */
  nextAfter: string
  /**
   * Whether events after `after` were deleted, so that this page begins with later ones. Then get the resources
   * themselves. Never true without `after`.
   */
  missed: boolean
}

/**
 * PAYMENT_STATUS selects every change of a payment’s status, PAYROLL_STATUS every change of a payroll’s, and so on for
 * PAYROLL_TRANSACTION_STATUS, APPROVAL_STATUS, CONSENT, ONBOARDING_STATUS, EXCHANGE and ACCOUNT_ENTRIES; the others
 * select one type. A subscription gets only what it selects. Deliveries always name the specific type.
 */
export type WebhookEventType = 'PAYMENT_STATUS' | 'PAYMENT_STATUS_UNSIGNED' | 'PAYMENT_STATUS_IN_PROGRESS' | 'PAYMENT_STATUS_REJECTED' | 'PAYMENT_STATUS_COMPLETED' | 'PAYMENT_STATUS_CANCELLED' | 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED' | 'PAYROLL_STATUS' | 'PAYROLL_STATUS_UNSIGNED' | 'PAYROLL_STATUS_IN_PROGRESS' | 'PAYROLL_STATUS_REJECTED' | 'PAYROLL_STATUS_COMPLETED' | 'PAYROLL_STATUS_CANCELLED' | 'PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED' | 'PAYROLL_TRANSACTION_STATUS' | 'PAYROLL_TRANSACTION_STATUS_UNSIGNED' | 'PAYROLL_TRANSACTION_STATUS_IN_PROGRESS' | 'PAYROLL_TRANSACTION_STATUS_REJECTED' | 'PAYROLL_TRANSACTION_STATUS_COMPLETED' | 'PAYROLL_TRANSACTION_STATUS_CANCELLED' | 'PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED' | 'APPROVAL_STATUS' | 'APPROVAL_STATUS_ACCEPTED' | 'APPROVAL_STATUS_REJECTED' | 'APPROVAL_STATUS_CANCELLED' | 'CONSENT' | 'CONSENT_ACCEPTED' | 'CONSENT_REJECTED' | 'CONSENT_CANCELLED' | 'CONSENT_EXPIRED' | 'CONSENT_REVOKED' | 'CONSENT_EXPIRING' | 'ONBOARDING_STATUS' | 'ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION' | 'ONBOARDING_STATUS_MANUAL_HANDLING' | 'ONBOARDING_STATUS_ACCEPTED' | 'ONBOARDING_STATUS_REJECTED' | 'ONBOARDING_STATUS_CANCELLED' | 'ONBOARDING_STATUS_EXPIRED' | 'EXCHANGE' | 'EXCHANGE_SIGNED' | 'EXCHANGE_FUNDED' | 'EXCHANGE_PAYOUT_ORDERED' | 'EXCHANGE_PAID_OUT' | 'EXCHANGE_PAYOUT_RETURNED' | 'EXCHANGE_REFUNDED' | 'EXCHANGE_UNDOING' | 'EXCHANGE_UNDONE' | 'ACCOUNT_ENTRIES' | 'ACCOUNT_ENTRIES_BOOKED'

/** Which events are delivered again. */
export type WebhookReplayRequest = {
  /** Events that occurred at this time or later, in business time; a day begins in UTC. */
  since: string
  /** Events that occurred before this time; a day is included. Everything up to now when absent. */
  until?: string
}

/** What was queued. */
export type WebhookReplayResult = {
  /** The number of events of the window, of all types. */
  events: number
  /** The number of deliveries that were queued. */
  deliveries: number
}

/** A webhook subscription. */
export type WebhookSubscription = {
  /** Identifies the subscription. */
  id: string
  /** The URL for deliveries: https, a public host, no user name or password, no fragment. */
  targetUrl: string
  /** Whether new events are delivered; false for good. */
  enabled: boolean
  /** Whether new events wait until it is resumed. */
  paused: boolean
  /** When it was created. */
  createdAt: Timestamp
  /** When it was last changed. */
  updatedAt: Timestamp
  /** The event types to deliver; each event is delivered once, even if two of the types select it. */
  eventTypes: WebhookEventType[]
  /** Whether deliveries carry a bearer token; it is never shown. */
  hasBearerToken: boolean
}

/** The URL and event types of a subscription. */
export type WebhookSubscriptionRequest = {
  /** The URL for deliveries: https, a public host, no user name or password, no fragment. */
  targetUrl: string
  /** The event types to deliver; each event is delivered once, even if two of the types select it. */
  eventTypes: WebhookEventType[]
}

/** A warning; the subscription was stored nevertheless. */
export type WebhookSubscriptionWarning = {
  /**
   * DuplicateTargetUrl: another enabled subscription delivers to this URL as well, so that events which both select
   * arrive there twice, signed with different secrets. More codes may be added.
   */
  code: 'DuplicateTargetUrl'
  /** The reason for the warning, as text. */
  reason: string
  /** The path of the field, for example `.targetUrl`. */
  path: string
  /** The other subscription; the newest one if there are several. */
  subscriptionId: string
}

/** A subscription with its signing secret. */
export type WebhookSubscriptionWithSecret = {
  /** Identifies the subscription. */
  id: string
  /** The URL for deliveries: https, a public host, no user name or password, no fragment. */
  targetUrl: string
  /** Whether new events are delivered; false for good. */
  enabled: boolean
  /** Whether new events wait until it is resumed. */
  paused: boolean
  /** When it was created. */
  createdAt: Timestamp
  /** When it was last changed. */
  updatedAt: Timestamp
  /** The event types to deliver; each event is delivered once, even if two of the types select it. */
  eventTypes: WebhookEventType[]
  /** Whether deliveries carry a bearer token; it is never shown. */
  hasBearerToken: boolean
  /** Warnings to check. */
  warnings?: WebhookSubscriptionWarning[]
  /** Signs every delivery; returned only once. Its UTF-8 bytes are the key. */
  signingSecret: string
}

/** The outcome of the first attempt of a test delivery. */
export type WebhookTestResult = {
  /** The id of the delivery. */
  deliveryId: string
  /** Whether the endpoint answered 2xx to the first attempt. */
  succeeded: boolean
  /** The error; null if there was none. */
  error: string | null
}
