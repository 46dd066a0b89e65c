/** What an entry is to partners: what its bank told, in the words of the interface, with amounts that are still exact. */
import type { AccountEntry } from '../../contract/account-entries.ts'
import type { BankEntry } from '../banks/connector/bank-account.ts'

/** A decimal that becomes a JSON number digit by digit. */
export type ExactAmount = { readonly amount: string; readonly currency: string }

type ElementOfContract = NonNullable<AccountEntry['elements']>[number]

/** One transaction of a batch. */
export type ShownElement = Omit<ElementOfContract, 'postedAmount'> & { readonly postedAmount?: ExactAmount }

/** An entry of the interface. */
export type ShownEntry = Omit<AccountEntry, 'postedAmount' | 'elements'> & {
  readonly postedAmount: ExactAmount
  readonly elements?: readonly ShownElement[]
}

/** An entry by itself: its lasting id is told where it is the one that a list gives it. */
export type ShownDetails = Omit<ShownEntry, 'stableEntryId'> & { readonly stableEntryId?: string }

/** An entry as the bank told it, besides by itself where that is so, and as its list alone told it. */
export type ReadEntry = { readonly told: BankEntry; readonly listed: BankEntry; readonly enriched: boolean }

/** An entry with what forms other than JSON say besides. */
export type Entry = { readonly told: BankEntry; readonly shown: ShownEntry }

/** The entries of an account, some at a time and in the order of the bank. */
export type EntryPages = AsyncIterable<readonly Entry[]>
