/** Types of accounts, balances and account entries as connectors return them. */
import type { Money } from '../../platform/money.ts'

export type BankAccount = {
  /**
   * The bank's id of the account; valid within this consent only. Null where the id cannot be used, or is also that
   * of another account: what the bank answers about it may be about either, and most answers do not name their account.
   */
  readonly resourceId: string | null
  readonly bban: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly name: string | null
  /** As the bank reports it; null where it does not. */
  readonly ownerName: string | null
  readonly currency: string
  readonly type: 'Current' | 'Savings' | 'Tax' | 'Currency' | 'Other'
  /** Whether the user may pay from it; null where the bank does not report that. */
  readonly payable: boolean | null
}

/** `complete`: every account could be read, so that one which is not listed is no longer included. */
export type BankAccountList = { readonly accounts: readonly BankAccount[]; readonly complete: boolean }

export type BankBalance = { readonly available: Money | null; readonly booked: Money | null }

/** Days in the bank's time zone, both included. */
export type DayRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** Filter of entries: period and booking status. */
export type EntriesQuery = { readonly days: DayRange; readonly which: 'booked' | 'pending' | 'both' }

/** The parts of an entry that match it with a payment; null where the bank does not report them. */
export type BookedEntry = {
  /** The bank's id of the entry, or its reference where it has no other. */
  readonly transactionId: string | null
  /** Negative where the account was debited. */
  readonly amount: Money
  readonly bookedOn: Temporal.PlainDate | null
  /** Counterparty's account in domestic form, where it can be derived. */
  readonly counterpartyBban: string | null
  /** Where the bank reports one: the domestic number cannot be derived from some Swedish IBANs. */
  readonly counterpartyIban: string | null
  readonly counterpartyName: string | null
  readonly endToEndId: string | null
  /** The first of `references`. */
  readonly reference: string | null
  /** `messages` joined into one text. */
  readonly message: string | null
}

/** An account entry with everything that the bank reports. */
export type BankEntry = BookedEntry & {
  /** A pending entry may change, or may never be booked. */
  readonly status: 'booked' | 'pending'
  /** The bank's reference of the entry, in addition to its id. */
  readonly entryReference: string | null
  /** Identifies the entry within its account before and after booking; null where the bank has no such id. */
  readonly lastingId: string | null
  /** For a pending entry the expected date. */
  readonly valueOn: Temporal.PlainDate | null
  /** The holder's side of the entry, where the bank reports it. */
  readonly own: EntryParty
  readonly references: readonly EntryReference[]
  /** The lines of the message as the bank reports them. */
  readonly messages: readonly string[]
  /** The purpose in the bank's own text. */
  readonly purposeText: string | null
  /** ISO 20022 external purpose code, e.g. `SALA`. */
  readonly purposeCode: string | null
  /** Domain, family and sub-family of ISO 20022, e.g. `PMNT-ICDT-DMCT`. */
  readonly transactionCode: string | null
  /** The bank's proprietary transaction code. */
  readonly ownTransactionCode: string | null
  readonly balanceAfter: Money | null
  /** Number of transactions in a batch entry, null where the bank does not report it; null for other entries. */
  readonly batch: { readonly count: number | null } | null
  /** The transactions of a batch entry, as far as the bank reports them; most lists have none. */
  readonly parts: readonly EntryPart[]
  readonly exchanges: readonly EntryCurrencyExchange[]
}

export type EntryParty = { readonly bban: string | null; readonly iban: string | null; readonly name: string | null }

/** A reference and its type, e.g. `SCOR`. */
export type EntryReference = { readonly reference: string; readonly type: string | null }

/** One transaction of a batch; fields are null where the bank does not report them. */
export type EntryPart = Pick<
  BookedEntry,
  'counterpartyBban' | 'counterpartyIban' | 'counterpartyName' | 'endToEndId' | 'reference' | 'message'
> & {
  /** Negative where the account was debited. */
  readonly amount: Money | null
  readonly references: readonly EntryReference[]
  readonly messages: readonly string[]
}

/** A currency exchange; `rate` is the bank's decimal text: target units for one `unit`. */
export type EntryCurrencyExchange = {
  readonly source: string
  readonly target: string
  readonly unit: string | null
  readonly rate: string
  readonly quotedOn: Temporal.PlainDate | null
  readonly contract: string | null
}
