/** Gives the code that a user's app scans: an image and what it holds, as the bank shows them at this moment. */
import type { Sca, ScaQr } from '../../contract/sca.ts'
import { stepPurpose } from '../authorisations/authorisation/start-step-authorisation.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { QrCode } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { linkOf } from './link-of.ts'
import { readAuthorisation } from './read-authorisation.ts'
import { currentStep, type Signing, type SigningKind, type SigningStep } from './signing.ts'
import { findAgain } from './standing.ts'

/** What a partner that reads on is told until it has ended: the link, or the code to show. */
export async function scaOf(context: Context, kind: SigningKind, signing: Signing): Promise<{ sca?: Sca }> {
  if (signing.shownBy === 'page') {
    return linkOf(context, signing)
  }
  const code = await presentCode(context, kind, await findAgain(context, signing))
  return code === null ? {} : { sca: scaOfCode(context, code) }
}

/**
 * The code of this moment; while the bank cannot be read, or makes the next order, the last one that was shown stays, so
 * that nobody who reads on is left without. Null where no code has begun.
 */
export async function presentCode(context: Context, kind: SigningKind, signing: Signing): Promise<QrCode | null> {
  const fresh = await freshCode(context, kind, signing)
  // Some banks are about to show the first code of an order when they answer that it has begun.
  if (fresh !== null && (fresh.image !== null || fresh.code !== null)) {
    rememberCode(signing, fresh)
    return fresh
  }
  return lastCodes.get(signing.id) ?? codeBegunWith(context, signing)
}

async function freshCode(context: Context, kind: SigningKind, signing: Signing): Promise<QrCode | null> {
  const step = currentStep(signing)
  const authorisationId = step?.authorisationId ?? null
  if (step?.state !== 'open' || step.way !== 'code' || authorisationId === null || signing.outcome !== null) {
    return null
  }
  try {
    const { state, qr } = await readAuthorisation(context, kind, signing, { ...step, authorisationId })
    return state === 'open' ? (qr ?? codeOf(context, signing, step)) : null
  } catch (error) {
    if (error instanceof BankRefusal) {
      return null
    }
    throw error
  }
}

/** The code in the words of the interface, its end in business time as every other timestamp there. */
export function scaOfCode({ clock }: Pick<Context, 'clock'>, { image, code, kind, validUntil }: QrCode): ScaQr {
  const end = clock.now().add(validUntil.since(clock.real()))
  return { type: 'qr', image: image ?? '', code, kind, validUntil: printTimestamp(end) }
}

/** What this process has shown last, by signing. Another one shows the code that the authorisation began with. */
const lastCodes = new Map<string, QrCode>()
const LAST_CODES_MAX = 500

function rememberCode({ id }: Signing, code: QrCode): void {
  lastCodes.delete(id)
  lastCodes.set(id, code)
  for (const oldest of lastCodes.keys()) {
    if (lastCodes.size <= LAST_CODES_MAX) {
      return
    }
    lastCodes.delete(oldest)
  }
}

/** The code of the latest authorisation that has begun. */
function codeBegunWith(context: Context, signing: Signing): QrCode | null {
  const begun = signing.steps.findLast(({ codeSealed }) => codeSealed !== null)
  return begun === undefined ? null : codeOf(context, signing, begun)
}

function codeOf(context: Context, { id }: Signing, { codeSealed }: SigningStep): QrCode | null {
  if (codeSealed === null) {
    return null
  }
  const kept: Record<keyof QrCode, string | null> = JSON.parse(context.seal.open(codeSealed, stepPurpose('code', id)))
  return {
    image: kept.image,
    code: kept.code,
    kind: kept.kind === 'Static' ? 'Static' : 'Dynamic',
    validUntil: Temporal.Instant.from(kept.validUntil ?? ''),
  }
}
