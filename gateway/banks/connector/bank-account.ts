/** What a bank tells of accounts: which there are, what is on them, and what was booked. */
import type { Money } from '../../platform/money.ts'

export type BankAccount = {
  /** The bank's id of the account; valid within this consent only. */
  readonly resourceId: string
  readonly bban: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly name: string | null
  /** As the bank reports it; null where it does not. */
  readonly ownerName: string | null
  readonly currency: string
  readonly type: 'Current' | 'Savings' | 'Tax' | 'Currency' | 'Other'
  /** Whether the bank lets the user pay from it; null where the bank does not say. */
  readonly payable: boolean | null
}

export type BankBalance = { readonly available: Money | null; readonly booked: Money | null }

/** Days in the bank's time zone, both included. */
export type DayRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** What entries are looked for by: days, and whether they are booked. */
export type EntriesAsked = { readonly days: DayRange; readonly which: 'booked' | 'pending' | 'both' }

/** What is looked at of an entry to find the payment that it shows. What the bank does not say is null. */
export type BookedEntry = {
  /** The bank's id of the entry, or its reference where it has no other. */
  readonly transactionId: string | null
  /** Negative where the account was debited. */
  readonly amount: Money
  readonly bookedOn: Temporal.PlainDate | null
  /** The other side, in its domestic form where that can be told. */
  readonly counterpartyBban: string | null
  /** Where the bank shows one: some Swedish IBANs leave out part of the domestic number. */
  readonly counterpartyIban: string | null
  readonly counterpartyName: string | null
  readonly endToEndId: string | null
  /** The first of `references`. */
  readonly reference: string | null
  /** `messages` in one text. */
  readonly message: string | null
}

/** An entry on an account with all that its bank tells of it. */
export type BankEntry = BookedEntry & {
  /** A pending one may still change, or never be booked. */
  readonly status: 'booked' | 'pending'
  /** The bank's reference of the entry, besides its id. */
  readonly entryReference: string | null
  /** What the entry is known by before and after it is booked, among those of its account; null where nothing lasts. */
  readonly lastingId: string | null
  /** Of a pending entry the day that is expected. */
  readonly valueOn: Temporal.PlainDate | null
  /** This side of it, where the bank names it. */
  readonly own: EntryParty
  readonly references: readonly EntryReference[]
  /** The message as the bank splits it up. */
  readonly messages: readonly string[]
  /** What the transfer is for, in the bank's words. */
  readonly purposeText: string | null
  /** ISO 20022 external purpose code, e.g. `SALA`. */
  readonly purposeCode: string | null
  /** Domain, family and sub-family of ISO 20022, e.g. `PMNT-ICDT-DMCT`. */
  readonly transactionCode: string | null
  /** The bank's own word for the kind of entry. */
  readonly ownTransactionCode: string | null
  /** What was on the account after it. */
  readonly balanceAfter: Money | null
  /** For one that stands for many: how many, null where the bank does not say; null for any other. */
  readonly batch: { readonly count: number | null } | null
  /** What a batch is made of, as far as the bank shows it; none in most lists. */
  readonly parts: readonly EntryPart[]
  readonly exchanges: readonly EntryExchange[]
}

export type EntryParty = { readonly bban: string | null; readonly iban: string | null; readonly name: string | null }

/** A reference, and of which kind it is, e.g. `SCOR`. */
export type EntryReference = { readonly reference: string; readonly type: string | null }

/** One transaction of a batch; null where the bank does not say. */
export type EntryPart = Pick<
  BookedEntry,
  'counterpartyBban' | 'counterpartyIban' | 'counterpartyName' | 'endToEndId' | 'reference' | 'message'
> & {
  /** Negative where the account was debited. */
  readonly amount: Money | null
  readonly references: readonly EntryReference[]
  readonly messages: readonly string[]
}

/** One exchange between currencies; the rate is the bank's decimal text: so many target units for one of `unit`. */
export type EntryExchange = {
  readonly source: string
  readonly target: string
  readonly unit: string | null
  readonly rate: string
  readonly quotedOn: Temporal.PlainDate | null
  readonly contract: string | null
}
