/** A consent at the bank: its statuses, and the requested access. */

import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Day, Json, OptionalTimestamp, Timestamp } from '../column-types.ts'
import type { OriginColumns } from '../xs2a/xs2a-call.ts'

export type ConsentStatus = 'received' | 'rejected' | 'valid' | 'revokedByPsu' | 'expired' | 'terminatedByTpp'

export type ConsentTable = OriginColumns & {
  id: string
  bank: string
  access: Json<ConsentAccess>
  recurring: boolean
  valid_until: Day
  frequency_per_day: number
  status: ConsentStatus
  signer_id: string | null
  last_action_on: Day
  created_at: Timestamp
  due_at: OptionalTimestamp
}

export type Consent = Selectable<ConsentTable>

/** An account reference of the third party. */
const AccessReference = Type.Object({
  bban: Type.Optional(Type.String({ pattern: '^[a-zA-Z0-9]{1,30}$' })),
  iban: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})
export type AccessReference = Static<typeof AccessReference>
const References = Type.Optional(Type.Array(AccessReference))
const Everything = Type.Optional(Type.Enum(['allAccounts', 'allAccountsWithOwnerName']))

/** The requested access: listed accounts, all accounts, or (empty lists) those that the bank offers the user. */
export const ConsentAccess = Type.Object({
  accounts: References,
  balances: References,
  transactions: References,
  availableAccounts: Everything,
  availableAccountsWithBalance: Everything,
  allPsd2: Everything,
})
export type ConsentAccess = Static<typeof ConsentAccess>

/** The consent models of the standard. */
export function modelOf(access: ConsentAccess): 'global' | 'bank-offered' | 'detailed' {
  if (access.availableAccounts ?? access.availableAccountsWithBalance ?? access.allPsd2) {
    return 'global'
  }
  return listedReferences(access).length === 0 ? 'bank-offered' : 'detailed'
}

export const ACCESS_LISTS = ['accounts', 'balances', 'transactions'] as const

/** Whether there are lists, of which all are empty or none is; with a global form there need be none. */
export function hasEqualLists(access: ConsentAccess): boolean {
  const lists = ACCESS_LISTS.flatMap((list) => (access[list] === undefined ? [] : [access[list].length > 0]))
  return new Set(lists).size === 1 || (lists.length === 0 && modelOf(access) === 'global')
}

/** Every reference of the three lists, with its path. */
export function listedReferences(
  access: ConsentAccess,
): readonly { readonly path: string; readonly reference: AccessReference }[] {
  return ACCESS_LISTS.flatMap((list) =>
    (access[list] ?? []).map((reference, index) => ({ path: `access.${list}.${index}`, reference })),
  )
}
