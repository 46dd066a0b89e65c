/** Finds a cancellation as it is now, with what its user needs to sign, and abandons it if the user does not. */
import type { Sca } from '../../../contract/sca.ts'
import { abandonScaSession } from '../../authorisations/end-sca-session.ts'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import { refreshScaForPartner } from '../../authorisations/get-qr-code.ts'
import type { ScaSession } from '../../authorisations/sca-session.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { findPaymentOf, findPayrollOf } from '../find-orders.ts'
import type { PartnerPayment } from '../payment.ts'
import type { Payroll } from '../payroll.ts'
import { requireOrdersOfConsent, requireSameCompany } from '../sign/require-payer.ts'
import {
  type Cancellation,
  type CancelledKind,
  cancellationTerms,
  progressOf,
  statusOfCancellation,
} from './cancellation.ts'
import { cancellationScaSubject } from './cancellation-sca-subject.ts'
import { findCancellation } from './cancellation-store.ts'

const RETRY_AFTER_SECONDS = 10

/** A cancellation with the SCA data of its user, as long as it waits for a signature. */
export type CurrentCancellation = { readonly cancellation: Cancellation; readonly sca?: Sca | undefined }

/** The cancellation of a payment or payroll as stored. Throws 404, also for one of the other kind. */
export async function requireCancellation(
  { database }: Context,
  { partnerId, kind, id }: Pick<Cancellation, 'partnerId' | 'kind' | 'id'>,
): Promise<Cancellation> {
  const cancellation = await findCancellation(database, { partnerId, id: id.toLowerCase() })
  if (cancellation?.kind !== kind) {
    throw apiError('not-found', 'There is no cancellation with this id')
  }
  return cancellation
}

/**
 * The cancellation of a payment or payroll as it is now; while the user may be signing, the bank is polled first, at most
 * once a second. Throws 404 or `ACCESS_DENIED`.
 */
export async function getCancellation(
  context: Context,
  caller: ConsentCaller,
  kind: CancelledKind,
  id: string,
): Promise<CurrentCancellation> {
  const { partnerId } = caller
  const cancellation = await requireCancellation(context, { partnerId, kind, id })
  requireSameCompany(caller, [await findByKind[kind](context, partnerId, cancellation.instructionId)])
  return await currentCancellation(context, cancellation)
}

/** The current state; while the user may be signing, the bank is polled first, at most once a second. */
export async function currentCancellation(context: Context, cancellation: Cancellation): Promise<CurrentCancellation> {
  const { partnerId, id, parts } = cancellation
  if (!parts.some(({ status }) => status === 'AUTHORIZATION_REQUIRED')) {
    return { cancellation }
  }
  const subject = { partnerId, kind: 'cancellation', subjectId: id } as const
  const sca = await refreshScaForPartner(context, cancellationScaSubject, subject)
  return { cancellation: await requireCancellation(context, cancellation), ...sca }
}

/** The latest SCA session of a cancellation. */
export async function scaSessionOf(context: Context, { partnerId, id }: Cancellation): Promise<ScaSession | undefined> {
  return await findLatestScaSession(context, { partnerId, kind: 'cancellation', subjectId: id })
}

/** The status for partners. Throws 503 while an answer of the bank is unknown. */
export function requireAnswered(cancellation: Cancellation) {
  const status = statusOfCancellation(cancellation)
  if (status === 'REQUESTED') {
    const { named, unanswered } = cancellationTerms[cancellation.kind]
    const detail = `${unanswered(progressOf(cancellation))}. Repeat the request in a moment; nothing is cancelled twice`
    throw outcomeUnknown(named(cancellation.instructionId), detail, RETRY_AFTER_SECONDS)
  }
  return status
}

/**
 * Abandons the SCA session of a cancellation whose user does not return to sign it: what was to be cancelled stays as it is.
 * Throws 404, `ACCESS_DENIED`, 503 for an unknown outcome, 409 if any part was signed or executed, or the error of a call to
 * the bank; then nothing is abandoned.
 */
export async function abandonCancellation(
  context: Context,
  caller: ConsentCaller,
  kind: CancelledKind,
  id: string,
): Promise<undefined> {
  const { partnerId } = caller
  const cancellation = await requireCancellation(context, { partnerId, kind, id })
  const findInstruction = () => findByKind[kind](context, partnerId, cancellation.instructionId)
  const instruction = await findInstruction()
  const consentIds = [cancellation.consentId, instruction.consentId]
  const { currency } = 'ordered' in instruction ? instruction.ordered.from : instruction
  await requireOrdersOfConsent(context, caller, [{ ...instruction, currency, consentIds }])
  requireAnswered(cancellation)
  const session = await scaSessionOf(context, cancellation)
  const signed = session && (await abandonScaSession(context, cancellationScaSubject, session))
  if (signed !== undefined && signed.length > 0) {
    throw apiError('conflict', 'The cancellation was signed at the bank and cannot be abandoned. Read its status')
  }
  const { parts } = await requireCancellation(context, cancellation)
  // If the bank has deleted the authorisation, only the status of the orders shows that the cancellation was signed.
  const isExecuted = parts.some(({ status }) => status === 'ACCEPTED')
  if (isExecuted || (await findInstruction()).status === 'Cancelled') {
    throw apiError('conflict', `${cancellationTerms[kind].executed}. Read the status of the ${kind}`)
  }
  return undefined
}

type FindInstruction = (context: Context, partnerId: string, id: string) => Promise<PartnerPayment | Payroll>

/** What is to be cancelled. */
const findByKind: Readonly<Record<CancelledKind, FindInstruction>> = { payment: findPaymentOf, payroll: findPayrollOf }
