/** What a bank knows whose users sign when a test says so: authorisations, baskets, and what is withdrawn. */
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { StatusObservation } from '../../banks/connector/order-at-bank.ts'
import type { AtSigningBank, WayOfSigning } from './sca-bank-authorisation.ts'

/** What the bank is like. */
export type SigningBankTraits = {
  readonly way: WayOfSigning
  /** How many users sign each payment. */
  readonly signers: 1 | 2
  /** Its status of a payment does not show that it is signed. */
  readonly isMute: boolean
  readonly now: () => Temporal.Instant
}

/** How it behaves at present. */
export type Behaviour = {
  /** Nobody can reach it. */
  silent: boolean
  /** It has forgotten every authorisation that has ended. */
  forgetful: boolean
  /** It wants no signature for what is begun now. */
  exempting: boolean
  /** The next thing that it does is done, and its answer is lost. */
  losing: boolean
}

/** What the bank knows, and how it behaves. */
export type State = SigningBankTraits &
  Behaviour & {
    readonly authorisations: AtSigningBank[]
    readonly baskets: Map<string, readonly string[]>
    readonly withdrawn: Set<string>
  }

export function decide(state: State, one: AtSigningBank, truth: Exclude<AtSigningBank['truth'], 'open'>): void {
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

export function withdraw({ withdrawn, authorisations }: State, id: string): void {
  withdrawn.add(id)
  for (const one of authorisations) {
    const isOfIt = one.truth === 'open' && one.what === 'signature' && one.targets.every((target) => target === id)
    one.truth = isOfIt ? 'cancelled' : one.truth
  }
}

export function statusOf(state: State, id: string, signed: boolean): StatusObservation {
  requireThere(state)
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

export function signersOf({ authorisations }: State, id: string): ReadonlySet<AtSigningBank['userId']> {
  const signatures = authorisations.filter(
    ({ what, targets, truth }) => what === 'signature' && truth === 'signed' && targets.includes(id),
  )
  return new Set(signatures.map(({ userId }) => userId))
}

export function isSigned(state: State, id: string): boolean {
  return signersOf(state, id).size >= state.signers
}

export function isOpenFor(state: State, id: string): boolean {
  return !state.withdrawn.has(id) && !isSigned(state, id)
}

export function requireThere({ silent }: Pick<State, 'silent'>): void {
  if (silent) {
    throw new BankRefusal('unavailable', 'The bank is away')
  }
}

export function requireSignable(state: State, { userId }: BankCaller, targets: readonly string[]): void {
  const open = targets.filter((id) => isOpenFor(state, id))
  if (open.length === 0 || open.every((id) => signersOf(state, id).has(userId))) {
    throw new BankRefusal('authentication-busy', 'There is nothing for this user to sign')
  }
}

export function requireStoppable(state: State, id: string): void {
  const isTied = [...state.baskets.values()].some((laid) => laid.includes(id)) && signersOf(state, id).size === 0
  if (state.withdrawn.has(id) || isTied) {
    throw new BankRefusal('cancellation-refused', 'It is withdrawn already, or tied to others')
  }
}

/** Answers, unless this is the answer that is lost. */
export function answer<Answer>(
  state: Pick<State, 'losing'>,
  found: Answer,
  kind: 'unavailable' | 'outcome-unknown',
): Answer {
  if (state.losing) {
    state.losing = false
    throw new BankRefusal(kind, 'The answer was lost')
  }
  return found
}
