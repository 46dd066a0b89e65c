/** The state of the fake bank `sca-bank`: authorisations, baskets and cancellations. */
import { BankError } from '../../banks/connector/bank-error.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { ScaApproachName, ScaBankAuthorisation } from './sca-bank-authorisation.ts'

/** Properties of the bank. */
export type ScaBankTraits = {
  readonly approach: ScaApproachName
  /** Number of signatures that each payment needs. */
  readonly signers: 1 | 2
  /** The bank's payment status does not show the signature. */
  readonly isMute: boolean
  readonly now: () => Temporal.Instant
}

export type ScaBankBehaviour = {
  /** It is unreachable. */
  silent: boolean
  /** It does not know ended authorisations any more. */
  forgetful: boolean
  /** Authorisations that start now are exempt from SCA. */
  exempting: boolean
  /** The next request is executed and its answer lost. */
  losing: boolean
}

export type ScaBankState = ScaBankTraits &
  ScaBankBehaviour & {
    readonly authorisations: ScaBankAuthorisation[]
    readonly baskets: Map<string, readonly string[]>
    readonly withdrawn: Set<string>
  }

export function decide(
  state: ScaBankState,
  one: ScaBankAuthorisation,
  truth: Exclude<ScaBankAuthorisation['truth'], 'open'>,
): void {
  const isInTime = Temporal.Instant.compare(state.now(), one.endsAt) < 0
  const isPossible = one.targets.some(
    (id) => !state.withdrawn.has(id) && (one.what === 'withdrawal' || !isSigned(state, id)),
  )
  const counts = truth !== 'signed' || (isInTime && isPossible)
  if (one.truth === 'open') {
    one.truth = counts ? truth : 'cancelled'
    if (one.truth === 'signed' && one.what === 'withdrawal') {
      for (const id of one.targets) {
        withdraw(state, id)
      }
    }
  }
}

export function withdraw({ withdrawn, authorisations }: ScaBankState, id: string): void {
  withdrawn.add(id)
  for (const one of authorisations) {
    const isOfIt = one.truth === 'open' && one.what === 'signature' && one.targets.every((target) => target === id)
    one.truth = isOfIt ? 'cancelled' : one.truth
  }
}

export function statusOf(state: ScaBankState, id: string, signed: boolean): StatusObservation {
  requireReachable(state)
  const [status, statusReason, bankStatus] = state.withdrawn.has(id)
    ? (['Cancelled', null, 'CANC'] as const)
    : state.isMute
      ? ([signed ? 'InProgress' : 'Unsigned', null, 'ACTC'] as const)
      : isSigned(state, id)
        ? (['InProgress', null, 'ACSP'] as const)
        : signersOf(state, id).size > 0
          ? (['CustomerActionRequired', 'PartlySigned', 'PATC'] as const)
          : (['Unsigned', null, 'RCVD'] as const)
  return { status, statusReason, statusReasonText: null, bankStatus }
}

export function signersOf({ authorisations }: ScaBankState, id: string): ReadonlySet<ScaBankAuthorisation['userId']> {
  const signatures = authorisations.filter(
    ({ what, targets, truth }) => what === 'signature' && truth === 'signed' && targets.includes(id),
  )
  return new Set(signatures.map(({ userId }) => userId))
}

export function isSigned(state: ScaBankState, id: string): boolean {
  return signersOf(state, id).size >= state.signers
}

export function isOpenFor(state: ScaBankState, id: string): boolean {
  return !state.withdrawn.has(id) && !isSigned(state, id)
}

export function requireReachable({ silent }: Pick<ScaBankState, 'silent'>): void {
  if (silent) {
    throw new BankError('unavailable', 'The bank is unreachable')
  }
}

export function requireSignable(state: ScaBankState, { userId }: BankCaller, targets: readonly string[]): void {
  const open = targets.filter((id) => isOpenFor(state, id))
  if (open.length === 0 || open.every((id) => signersOf(state, id).has(userId))) {
    throw new BankError('authentication-busy', 'There is nothing for this user to sign')
  }
}

export function requireCancellationAccess(state: ScaBankState, id: string): void {
  const isTied = [...state.baskets.values()].some((laid) => laid.includes(id)) && signersOf(state, id).size === 0
  if (state.withdrawn.has(id) || isTied) {
    throw new BankError('cancellation-rejected', 'It is withdrawn already, or tied to others')
  }
}

/** Returns the answer, or throws if the test has made it get lost. */
export function answer<Answer>(
  state: Pick<ScaBankState, 'losing'>,
  found: Answer,
  kind: 'unavailable' | 'outcome-unknown',
): Answer {
  if (state.losing) {
    state.losing = false
    throw new BankError(kind, 'The answer was lost')
  }
  return found
}
