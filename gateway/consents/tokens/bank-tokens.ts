/** Keeps the tokens that open a user's data at a bank, and has them renewed in time by one process alone. */
import { setTimeout } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { BankTokens } from '../../banks/connector/sca-authorisation.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { callSecondsMax } from '../../banks/transport/call-seconds-max.ts'
import type { Context } from '../../context.ts'
import { KEEP_TRYING_MILLISECONDS, keepAtLength } from '../../foundation/keep-at-length.ts'
import { newId } from '../../platform/ids.ts'
import {
  claimRenewal,
  deleteTokens,
  findTokens,
  freeRenewal,
  type GrantKey,
  insertTokens,
  type KeptTokens,
  type TokenKey,
  updateTokens,
} from './bank-token-store.ts'

/** A token that ends within this time may end before the bank looks at it. */
const RENEW_BEFORE = { seconds: 60 }
/** How often the tokens are looked at while another process has them renewed, and how many times. */
const LOOK_AGAIN_MILLISECONDS = 100
const LOOKS_MAX = 50
/** The server's description, the token endpoint, and one more in case a call is sent again. */
const CALLS_PER_RENEWAL = 3

const Sealed = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.Union([Type.String(), Type.Null()]),
  server: Type.Object({ metadata: Type.String(), issuer: Type.String() }),
})

/** The consent, the payment or the payments that were opened by one grant. */
type Opened = { readonly partnerId: string; readonly subjectIds: readonly string[] }

/** Keeps what the bank gave; false when it gave nothing. The code that was exchanged for it is worth nothing any more. */
export async function keepBankTokens(context: Context, opened: Opened, tokens: BankTokens | null): Promise<boolean> {
  if (tokens !== null) {
    const { partnerId, subjectIds } = opened
    const kept = sealedTokens(context, { partnerId, id: newId() }, tokens)
    await keepAtLength(context.log, () => insertTokens(context.database, kept, subjectIds))
  }
  return tokens !== null
}

/** Whether the bank has given any for it. */
export async function hasBankTokens({ database }: Context, key: TokenKey): Promise<boolean> {
  return (await findTokens(database, key)) !== undefined
}

/** Tells the tokens that are kept for it from those before and after; undefined when there are none. */
export async function markOfTokens({ database }: Context, key: TokenKey): Promise<string | undefined> {
  return (await findTokens(database, key))?.tokensSealed.toString('base64')
}

/** Forgets what opens a consent or a payment. True when there was anything. */
export async function forgetBankTokens({ database }: Context, { partnerId, subjectId }: TokenKey): Promise<boolean> {
  return await deleteTokens(database.query, partnerId, [subjectId])
}

/** Has the bank end what it granted; nothing is done at one that offers no such thing. Throws the bank's refusal. */
export async function endBankTokens(context: Context, bank: Bank, key: TokenKey): Promise<void> {
  const found = await findTokens(context.database, key)
  if (found !== undefined) {
    await context.banks.connectorOf(bank).oauth?.endGrant(bank, openedTokens(context, found))
  }
}

/**
 * The access token of the first of these subjects that has a good one, renewed when it is about to end; null where there
 * is none. What has ended before the last of them is forgotten. Throws a `BankRefusal` of kind `token-invalid` when the
 * user has to sign in anew.
 */
export async function accessTokenOf(
  context: Context,
  bank: Bank,
  partnerId: string,
  subjectIds: readonly string[],
): Promise<string | null> {
  let ended: BankRefusal | undefined
  for (const subjectId of subjectIds) {
    try {
      const token = await tokenOf(context, bank, { partnerId, subjectId })
      if (token !== null) {
        return token
      }
    } catch (error) {
      if (!(error instanceof BankRefusal) || error.kind !== 'token-invalid') {
        throw error
      }
      ended = error
      if (subjectId !== subjectIds.at(-1)) {
        await forgetBankTokens(context, { partnerId, subjectId })
      }
    }
  }
  if (ended !== undefined) {
    throw ended
  }
  return null
}

async function tokenOf(context: Context, bank: Bank, key: TokenKey): Promise<string | null> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const found = await findTokens(context.database, key)
    if (found === undefined) {
      return null
    }
    if (lastsFor(context, found, RENEW_BEFORE)) {
      return openedTokens(context, found).accessToken
    }
    const renewed = await renewedBy(context, bank, found)
    if (renewed !== undefined) {
      return renewed
    }
    await setTimeout(LOOK_AGAIN_MILLISECONDS)
  }
  throw new BankRefusal('unavailable', 'The tokens of the bank are being renewed, which takes too long')
}

/** Undefined while another process renews them. A renewal whose answer is lost leaves tokens that the bank may have ended. */
async function renewedBy(context: Context, bank: Bank, key: GrantKey): Promise<string | undefined> {
  const { clock, database, log } = context
  const real = clock.real()
  const times = { real, endsBy: real.add(RENEW_BEFORE), leaseUntil: real.add(renewalTakes(context)) }
  const kept = await claimRenewal(database, key, times)
  if (kept === undefined) {
    return undefined
  }
  const tokens = await renew(context, bank, openedTokens(context, kept)).catch(async (error: unknown) => {
    await freeRenewal(database, kept)
    throw error
  })
  // Not freed when this fails: whoever came next would show the old refresh token, and end the grant.
  await keepAtLength(log, () => updateTokens(database, sealedTokens(context, kept, tokens)))
  return tokens.accessToken
}

/** As long as the bank's answers and the keeping of its tokens take at most. */
function renewalTakes({ config }: Context): Temporal.DurationLike {
  return { seconds: CALLS_PER_RENEWAL * callSecondsMax(config), milliseconds: KEEP_TRYING_MILLISECONDS }
}

/** What only we can mend is told to people here, and is a bank out of reach to everybody else. */
async function renew(
  { banks, log }: Context,
  bank: Bank,
  { refreshToken, server }: Static<typeof Sealed>,
): Promise<BankTokens> {
  const { oauth } = banks.connectorOf(bank)
  if (oauth === undefined || refreshToken === null) {
    throw new BankRefusal('token-invalid', 'The access that the user gave has ended')
  }
  try {
    return await oauth.refresh(bank, { refreshToken, server })
  } catch (error) {
    if (error instanceof BankRefusal && error.kind !== 'token-invalid') {
      log.error({ bic: bank.bic, refusal: error.kind, error }, 'tokens of a bank could not be renewed')
      throw new BankRefusal('unavailable', 'The access that the user gave cannot be renewed now', [], error)
    }
    throw error
  }
}

function lastsFor({ clock }: Context, { expiresAt }: KeptTokens, time: Temporal.DurationLike): boolean {
  return Temporal.Instant.compare(expiresAt, clock.real().add(time)) > 0
}

function sealedTokens(
  { seal }: Context,
  { partnerId, id }: GrantKey,
  { expiresAt, ...tokens }: BankTokens,
): KeptTokens {
  const { accessToken, refreshToken, server } = tokens
  const text = JSON.stringify({ accessToken, refreshToken, server })
  return { partnerId, id, tokensSealed: seal.seal(text, tokenPurpose({ partnerId, id })), expiresAt }
}

function openedTokens({ seal }: Context, kept: KeptTokens): Static<typeof Sealed> {
  return Value.Parse(Sealed, JSON.parse(seal.open(kept.tokensSealed, tokenPurpose(kept))))
}

/** What sealed tokens are bound to. */
export function tokenPurpose({ partnerId, id }: GrantKey): string {
  return `bank tokens ${partnerId} ${id}`
}
