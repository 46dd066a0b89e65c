/** Defines an entry for partners: what its bank reported, in the API's terms, with exact decimal amounts. */
import type { AccountEntry } from '../../contract/account-entries.ts'
import type { BankEntry } from '../banks/connector/bank-account.ts'

/** A decimal that is written to JSON digit by digit. */
export type ExactAmount = { readonly amount: string; readonly currency: string }

type ElementOfContract = NonNullable<AccountEntry['elements']>[number]

/** One transaction of a batch. */
export type EntryTransaction = Omit<ElementOfContract, 'postedAmount'> & { readonly postedAmount?: ExactAmount }

export type ApiEntry = Omit<AccountEntry, 'postedAmount' | 'elements'> & {
  readonly postedAmount: ExactAmount
  readonly elements?: readonly EntryTransaction[]
}

/** An entry read by its id: its stable id is included where it equals the one in lists. */
export type ApiEntryDetails = Omit<ApiEntry, 'stableEntryId'> & { readonly stableEntryId?: string }

/** An entry as reported, with details where they were read, and as the list alone reported it. */
export type EnrichedEntry = { readonly reported: BankEntry; readonly listed: BankEntry; readonly enriched: boolean }

/** An entry as reported, for formats other than JSON, and as the API returns it. */
export type Entry = { readonly reported: BankEntry; readonly shown: ApiEntry }

/** The entries of an account, page by page in the bank's order. */
export type EntryPages = AsyncIterable<readonly Entry[]>
