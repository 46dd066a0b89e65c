/** Gives the code that a user's app scans: an image and what it holds, as the bank shows them at this moment. */
import type { Sca, ScaQr } from '../../contract/sca.ts'
import type { QrCode } from '../banks/authorisation.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { stepPurpose } from './begin-step.ts'
import { linkOf } from './link-of.ts'
import { readAuthorisation } from './read-authorisation.ts'
import { currentStep, type Signing, type SigningKind } from './signing.ts'
import { findAgain } from './standing.ts'

/** What a partner that reads on is told: the link while nobody has used it, or the code to show at this moment. */
export async function scaOf(context: Context, kind: SigningKind, signing: Signing): Promise<{ sca?: Sca }> {
  if (signing.shownBy === 'page') {
    return linkOf(context, signing)
  }
  const code = await presentCode(context, kind, await findAgain(context, signing))
  return code === null ? {} : { sca: scaOfCode(code) }
}

/** Null while there is none: the bank cannot be read, or is about to be asked for another order. */
export async function presentCode(context: Context, kind: SigningKind, signing: Signing): Promise<QrCode | null> {
  const step = currentStep(signing)
  const authorisationId = step?.authorisationId ?? null
  if (step?.state !== 'open' || step.way !== 'code' || authorisationId === null || signing.outcome !== null) {
    return null
  }
  try {
    const { state, qr } = await readAuthorisation(context, kind, signing, { ...step, authorisationId })
    return state === 'open' ? (qr ?? lastingCode(context, signing, step.codeSealed)) : null
  } catch (error) {
    if (error instanceof BankRefusal) {
      return null
    }
    throw error
  }
}

/** The code in the words of the interface. */
export function scaOfCode({ image, code, kind, validUntil }: QrCode): ScaQr {
  return { type: 'qr', image: image ?? '', code, kind, validUntil: validUntil.toString() }
}

/** The code that the authorisation began with, for as long as it can be scanned. */
function lastingCode(context: Context, { id }: Signing, codeSealed: Buffer | null): QrCode | null {
  if (codeSealed === null) {
    return null
  }
  const kept: Record<keyof QrCode, string | null> = JSON.parse(context.seal.open(codeSealed, stepPurpose('code', id)))
  const validUntil = Temporal.Instant.from(kept.validUntil ?? '')
  const isValid = Temporal.Instant.compare(context.clock.real(), validUntil) < 0
  return isValid ? { image: kept.image, code: kept.code, kind: 'Static', validUntil } : null
}
