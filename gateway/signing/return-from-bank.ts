/** Receives the user's browser from the bank: what happened there is asked of the bank, never read from the address. */

import { returnAddresses, stepPurpose } from '../authorisations/authorisation/start-step-authorisation.ts'
import { markConfirming, trustReturned } from '../authorisations/store/browser-trust-store.ts'
import { markStepReturned } from '../authorisations/store/sca-step-store.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import { findLateSignature } from './find-late-signature.ts'
import { settleIfReadable } from './settle-signing.ts'
import { isSigned, openStep, type Signing, type SigningKind, type SigningStep, waitsForWord } from './signing.ts'
import { claimBrought, endBroughtClaim } from './signing-brought-store.ts'
import { findAgain, type Standing, standingOf } from './standing.ts'

/** The browser that comes: the token of its address, what stands beside that, and its cookie of ours. */
export type Comer = {
  readonly returnToken: string
  readonly query: Readonly<Record<string, string>>
  readonly browserToken: string | undefined
}

/** How the signing stands, with the signing as it is now. */
export type Returned = Standing & {
  readonly signing: Signing
  /** To be kept by a browser that came in place of the one that left: it may say whose it is. */
  readonly browserToken?: string
}

/** The bank's own description, the exchange of a code, or the code that confirms; who dies in it leaves it to the next. */
const HANDING_CALLS_MAX = 2
/** Whoever loads the address again and again makes the bank be asked so often and no more. */
const ASK_EVERY = { milliseconds: 500 }

/** A bank that cannot be read, or has not decided, leaves the user on a page that waits. */
export async function returnFromBank(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  comer: Comer,
): Promise<Returned> {
  const at = context.clock.real()
  const times = { at, quietSince: at.subtract(ASK_EVERY) }
  const isToAsk = await markStepReturned(context.database, signing, hashToken(comer.returnToken), times)
  const proof = await proofOf(context, kind, signing, { ...comer, isToAsk })
  if (isToAsk) {
    await lookLate(context, kind, await findAgain(context, signing))
  }
  const before = await findAgain(context, signing)
  const known = await welcome(context, before, comer, proof)
  const standing = isToAsk
    ? await settleIfReadable(context, kind, await findAgain(context, signing))
    : standingOf(before)
  const token = known ?? (await welcome(context, await findAgain(context, signing), comer, proof))
  const kept = await findAgain(context, signing)
  // What is signed now, and was not before, counts now that its browser is known.
  const isToEnd = standing.at === 'word' && !waitsForWord(kept)
  const told = isToEnd ? await settleIfReadable(context, kind, kept) : standing
  return {
    ...told,
    signing: isToEnd ? await findAgain(context, signing) : kept,
    ...(token === undefined ? {} : { browserToken: token }),
  }
}

/** Whoever comes back after the end, as from what was abandoned meanwhile, may have signed all the same. */
async function lookLate(context: Context, kind: SigningKind, signing: Signing): Promise<void> {
  if (signing.status === 'ended' && signing.outcome !== 'success' && openStep(signing) !== undefined) {
    await findLateSignature(context, kind, signing).catch((error: unknown) => {
      if (!(error instanceof BankRefusal)) {
        throw error
      }
    })
  }
}

/** Which step a browser comes back from, and whether the bank gave tokens for what it brought. */
type Proof = { readonly position: number; readonly hasTokens: boolean }

/**
 * Once the step is signed, the browser that left is trusted; another one gets a token to answer with. Before, somebody
 * may come back by themselves and send the bank's page on to a stranger.
 */
async function welcome(
  context: Context,
  signing: Signing,
  { browserToken }: Comer,
  proof: Proof | undefined,
): Promise<string | undefined> {
  const step = signing.steps.find(({ position }) => position === proof?.position)
  if (proof === undefined || step === undefined || !waitsForWord(signing) || !(proof.hasTokens || isSigned(step))) {
    return undefined
  }
  const { position } = proof
  if (browserToken !== undefined && hashToken(browserToken) === signing.browserHash) {
    await trustReturned(context.database, signing, { position, at: context.clock.real() })
    return undefined
  }
  const token = browserToken ?? newToken()
  await markConfirming(context.database, signing, { position, confirmHash: hashToken(token) })
  return token
}

/**
 * Whether the browser comes from the bank; undefined when it does not. Our address alone shows it, unless it passed
 * through the browser's hands on the way there, as with OAuth: then the bank must take the code that it brings.
 */
async function proofOf(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  comer: Comer & { readonly isToAsk: boolean },
): Promise<Proof | undefined> {
  const step = signing.steps.find(({ returnHash }) => returnHash === hashToken(comer.returnToken))
  const isBringing = Object.keys(comer.query).length > 0
  const hasTokens =
    step !== undefined && comer.isToAsk && isBringing && (await complete(context, kind, signing, { step, comer }))
  return step !== undefined && (hasTokens || step.returnSecretSealed === null)
    ? { position: step.position, hasTokens }
    : undefined
}

/**
 * Hands over what was brought, the same once only; one that the bank does not take changes nothing. A sweep may have
 * found the signature before the browser was back: what it brings may open what was signed.
 */
async function complete(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  { step, comer }: { readonly step: SigningStep; readonly comer: Comer },
): Promise<boolean> {
  const { authorisationId, returnSecretSealed } = step
  const returnHash = hashToken(comer.returnToken)
  const claim = hashToken(JSON.stringify(Object.entries(comer.query).toSorted()))
  if (authorisationId === null || signing.outcome === 'rejected' || signing.outcome === 'cancelled') {
    return false
  }
  const brought = { returnHash, broughtHash: claim }
  const at = context.clock.real()
  const until = at.add({ seconds: HANDING_CALLS_MAX * callSecondsMax(context.config) })
  if (!(await claimBrought(context.database, signing, brought, { at, until }))) {
    return false
  }
  const endClaim = (isAnswered: boolean) => endBroughtClaim(context.database, signing, brought, { isAnswered })
  try {
    const hasTokens = await kind.complete(
      context,
      signing,
      { ...step, authorisationId },
      {
        query: comer.query,
        returnSecret:
          returnSecretSealed === null
            ? null
            : context.seal.open(returnSecretSealed, stepPurpose('return secret', signing.id)),
        back: returnAddresses(context, signing, comer.returnToken),
      },
    )
    await endClaim(true)
    return hasTokens
  } catch (error) {
    if (error instanceof BankRefusal) {
      const { kind: refusal } = error
      context.log.warn({ signingId: signing.id, refusal }, 'the bank did not take what a browser brought back')
      await endClaim(refusal !== 'unavailable')
      return false
    }
    await endClaim(false)
    throw error
  }
}
