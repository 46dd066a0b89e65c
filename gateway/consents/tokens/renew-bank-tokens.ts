/** Gets a valid access token of a bank, and renews the tokens in time, one process at a time. */

import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError, isOfKind } from '../../banks/connector/bank-error-classification.ts'
import type { BankTokens } from '../../banks/connector/sca-authorisation.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { leaseFor } from '../../platform/jobs/lease.ts'
import { waitUntil } from '../../platform/wait-until.ts'
import {
  acquireRenewalLease,
  type BankTokenKey,
  deleteGrant,
  findTokens,
  releaseRenewalLease,
  type StoredTokens,
  updateTokens,
} from './bank-token-store.ts'
import { type DecryptedTokens, decryptTokens, encryptTokens } from './bank-tokens.ts'

/**
 * A token that expires sooner may expire before the bank checks it. Some banks' tokens are valid for a minute only: with a
 * longer time, every call would renew them.
 */
const RENEW_BEFORE = { seconds: 15 }
/** For a renewal by another process. */
const WAITING = { withinMilliseconds: 5_000, everyMilliseconds: 100 }
/** Server metadata, token endpoint, and one retry. */
const CALLS_PER_RENEWAL = 3
/** Most interruptions of the database are shorter than that. */
const PERSIST_SECONDS = 30

/**
 * The access token of a subject, renewed when it is about to expire; null where there is none. Throws a `BankError` of
 * kind `token-invalid` when the grant has ended; replaceable tokens are deleted then, and null is returned.
 */
export async function getBankAccessToken(
  context: Context,
  bank: Bank,
  key: BankTokenKey,
  { isReplaceable }: { readonly isReplaceable: boolean },
): Promise<string | null> {
  return await findValidToken(context, key, null, async (found) => {
    try {
      return await renewUnderLease(context, bank, found)
    } catch (error) {
      if (!isReplaceable || !isBankError(error, 'token-invalid')) {
        throw error
      }
      // Not those of the subject: a signature may have stored newer ones during the call.
      await deleteGrant(context.database, found)
      return null
    }
  })
}

/** A token in place of one that the bank rejected before its expiry; null when there is none any more. */
export async function renewRejectedToken(
  context: Context,
  bank: Bank,
  key: BankTokenKey,
  rejected: string,
): Promise<string | null> {
  try {
    return await findValidToken(context, key, rejected, (found) => renewUnderLease(context, bank, found))
  } catch (error) {
    if (!isBankError(error, 'token-invalid')) {
      throw error
    }
    return null
  }
}

/** `renewed` returns undefined while another process renews the tokens. */
async function findValidToken(
  context: Context,
  key: BankTokenKey,
  rejected: string | null,
  renewed: (found: StoredTokens) => Promise<string | null | undefined>,
): Promise<string | null> {
  const findOrRenew = async () => {
    const found = await findTokens(context.database, key)
    if (found === undefined) {
      return null
    }
    const { accessToken, refreshToken } = decryptTokens(context, found)
    // One that cannot be renewed is used until its end.
    const usedUntil = refreshToken === null ? found.expiresAt : found.expiresAt.subtract(RENEW_BEFORE)
    const isValid = Temporal.Instant.compare(usedUntil, context.clock.real()) > 0
    return isValid && accessToken !== rejected ? accessToken : await renewed(found)
  }
  const token = await waitUntil(findOrRenew, (found) => found !== undefined, WAITING)
  if (token === undefined) {
    throw new BankError('unavailable', 'The renewal of the tokens at the bank is taking too long')
  }
  return token
}

/** Undefined while another process renews them. If the bank's response is lost, the old tokens may be invalid. */
async function renewUnderLease(context: Context, bank: Bank, stored: StoredTokens): Promise<string | undefined> {
  const { database, outcomes, config } = context
  const lease = leaseFor(context, { seconds: CALLS_PER_RENEWAL * callSecondsMax(config) + PERSIST_SECONDS })
  if (!(await acquireRenewalLease(database, stored, lease))) {
    return undefined
  }
  const tokens = await renew(context, bank, decryptTokens(context, stored)).catch(async (error: unknown) => {
    await releaseRenewalLease(database, stored)
    throw error
  })
  // Not released if persisting fails: the next renewal would use the old refresh token, and the bank would end the
  // grant.
  await outcomes.recordInTime(() => updateTokens(database, encryptTokens(context, stored, tokens)))
  return tokens.accessToken
}

/** Errors that only the operator can fix are logged, and reported as an unavailable bank. */
async function renew(
  { banks, log }: Context,
  bank: Bank,
  { refreshToken, server }: DecryptedTokens,
): Promise<BankTokens> {
  const { oauth } = banks.connectorOf(bank)
  if (oauth === undefined || refreshToken === null) {
    throw new BankError('token-invalid', "The user's access grant has ended")
  }
  try {
    return await oauth.refresh(bank, { refreshToken, server })
  } catch (error) {
    if (error instanceof BankError && !isOfKind(error, 'token-invalid')) {
      log.error({ bic: bank.bic, errorKind: error.kind, error }, 'tokens of a bank could not be renewed')
      const unavailable = new BankError('unavailable', "The user's access grant cannot be renewed now", [], error)
      throw unavailable.saying(error.laterCalls)
    }
    throw error
  }
}
