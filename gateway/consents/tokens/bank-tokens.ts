/** Stores the tokens of a grant at a bank, encrypted, and ends the grant. */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Bank } from '../../banks/connector/bank.ts'
import type { BankTokens } from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { type BankTokenKey, findTokens, type GrantKey, insertTokens, type StoredTokens } from './bank-token-store.ts'

const SealedTokens = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.Union([Type.String(), Type.Null()]),
  server: Type.Object({ metadata: Type.String(), issuer: Type.String() }),
})

/** The tokens as they are stored, before encryption. */
export type DecryptedTokens = Static<typeof SealedTokens>

/** The subjects of one grant: a consent or payments. */
type GrantSubjects = { readonly partnerId: string; readonly subjectIds: readonly string[] }

/**
 * Stores tokens; false when there are none. Persisting is retried, because the authorisation code cannot be exchanged
 * again.
 */
export async function storeBankTokens(
  context: Context,
  subject: GrantSubjects,
  tokens: BankTokens | null,
): Promise<boolean> {
  if (tokens !== null) {
    const { partnerId, subjectIds } = subject
    const stored = encryptTokens(context, { partnerId, id: newId() }, tokens)
    await context.outcomes.recordInTime(() => insertTokens(context.database, stored, subjectIds))
  }
  return tokens !== null
}

/** Revokes a grant at its bank, where the bank supports that. Throws the bank's error. */
export async function revokeBankGrant(context: Context, bank: Bank, key: BankTokenKey): Promise<void> {
  const found = await findTokens(context.database, key)
  if (found !== undefined) {
    await context.banks.connectorOf(bank).oauth?.revokeGrant(bank, decryptTokens(context, found))
  }
}

/** The tokens as a row of the table; the key is part of what they are bound to. */
export function encryptTokens(
  { seal }: Context,
  { partnerId, id }: GrantKey,
  { expiresAt, ...tokens }: BankTokens,
): StoredTokens {
  const { accessToken, refreshToken, server } = tokens
  const text = JSON.stringify({ accessToken, refreshToken, server })
  return { partnerId, id, tokensSealed: seal.seal(text, bankTokenPurpose({ partnerId, id })), expiresAt }
}

/** The tokens of a row. Throws when it was encrypted under another key, or for another grant. */
export function decryptTokens({ seal }: Context, stored: StoredTokens): DecryptedTokens {
  return Value.Parse(SealedTokens, JSON.parse(seal.open(stored.tokensSealed, bankTokenPurpose(stored))))
}

/** The purpose that sealed tokens are bound to. */
export function bankTokenPurpose({ partnerId, id }: GrantKey): string {
  return `bank tokens ${partnerId} ${id}`
}
