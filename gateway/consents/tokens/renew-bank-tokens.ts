/** Gets a valid access token of a bank, and renews the tokens in time, one process at a time. */
import { setTimeout } from 'node:timers/promises'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError, isOfKind } from '../../banks/connector/bank-error-classification.ts'
import type { BankTokens } from '../../banks/connector/sca-authorisation.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { callSecondsMax } from '../../banks/transport/call-seconds-max.ts'
import type { Context } from '../../context.ts'
import {
  acquireRenewalLease,
  type BankTokenKey,
  findTokens,
  type GrantKey,
  releaseRenewalLease,
  type StoredTokens,
  updateTokens,
} from './bank-token-store.ts'
import { type DecryptedTokens, decryptTokens, deleteBankTokens, encryptTokens } from './bank-tokens.ts'

/** A token that expires sooner may expire before the bank checks it. */
const RENEW_BEFORE = { seconds: 60 }
/** How often and how many times to check whether another process has finished a renewal. */
const CHECK_AGAIN_MILLISECONDS = 100
const CHECKS_MAX = 50
/** Server metadata, token endpoint, and one retry. */
const CALLS_PER_RENEWAL = 3
/** Most interruptions of the database are shorter than that. */
const PERSIST_SECONDS = 30

/**
 * The access token of the first of these subjects that has a valid one, renewed when it is about to expire; null where
 * there is none. Expired tokens are deleted, except those of the last subject. Throws a `BankError` of kind
 * `token-invalid` when the user has to sign in again.
 */
export async function getBankAccessToken(
  context: Context,
  bank: Bank,
  partnerId: string,
  subjectIds: readonly string[],
): Promise<string | null> {
  let ended: BankError | undefined
  for (const subjectId of subjectIds) {
    try {
      const token = await findValidToken(context, bank, { partnerId, subjectId })
      if (token !== null) {
        return token
      }
    } catch (error) {
      if (!isBankError(error, 'token-invalid')) {
        throw error
      }
      ended = error
      if (subjectId !== subjectIds.at(-1)) {
        await deleteBankTokens(context, { partnerId, subjectId })
      }
    }
  }
  if (ended !== undefined) {
    throw ended
  }
  return null
}

async function findValidToken(context: Context, bank: Bank, key: BankTokenKey): Promise<string | null> {
  for (let check = 0; check < CHECKS_MAX; check += 1) {
    const found = await findTokens(context.database, key)
    if (found === undefined) {
      return null
    }
    if (isValidFor(context, found, RENEW_BEFORE)) {
      return decryptTokens(context, found).accessToken
    }
    const renewed = await renewUnderLease(context, bank, found)
    if (renewed !== undefined) {
      return renewed
    }
    await setTimeout(CHECK_AGAIN_MILLISECONDS)
  }
  throw new BankError('unavailable', 'The renewal of the tokens at the bank is taking too long')
}

/** Undefined while another process renews them. If the bank's response is lost, the old tokens may be invalid. */
async function renewUnderLease(context: Context, bank: Bank, key: GrantKey): Promise<string | undefined> {
  const { clock, database, outcomes } = context
  const real = clock.real()
  const times = { real, endsBy: real.add(RENEW_BEFORE), leaseUntil: real.add(renewalTimeMax(context)) }
  const stored = await acquireRenewalLease(database, key, times)
  if (stored === undefined) {
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

/** The longest time for the bank's responses and for persisting the tokens. */
function renewalTimeMax({ config }: Context): Temporal.DurationLike {
  return { seconds: CALLS_PER_RENEWAL * callSecondsMax(config) + PERSIST_SECONDS }
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
      throw new BankError('unavailable', "The user's access grant cannot be renewed now", [], error)
    }
    throw error
  }
}

function isValidFor({ clock }: Context, { expiresAt }: StoredTokens, time: Temporal.DurationLike): boolean {
  return Temporal.Instant.compare(expiresAt, clock.real().add(time)) > 0
}
