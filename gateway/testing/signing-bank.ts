/** A bank behind the port whose users sign exactly when a test says so, and that knows the truth of every signature. */
import type { AuthorisationAsked, AuthorisationState, StartedAuthorisation } from '../banks/authorisation.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Authorisations, BankCaller, Connector, DomesticPaymentProduct } from '../banks/connector.ts'
import type { StatusObservation } from '../banks/order-at-bank.ts'
import { newId } from '../foundation/ids.ts'
import { type AtSigningBank, LASTS_SECONDS, type WayOfSigning, wayTo } from './at-signing-bank.ts'

/** What the bank is like. */
export type SigningBankTraits = {
  readonly way: WayOfSigning
  /** How many users sign each payment. */
  readonly signers: 1 | 2
  /** Its status of a payment does not show that it is signed. */
  readonly isMute: boolean
  readonly now: () => Temporal.Instant
}

export type SigningBank = {
  readonly connector: Pick<Connector, 'domesticPayments' | 'baskets'>
  /** Nobody can reach it. */
  silent: boolean
  /** It has forgotten every authorisation that has ended. */
  forgetful: boolean
  /** It wants no signature for what is begun now. */
  exempting: boolean
  /** The next thing that it does is done, and its answer is lost. */
  losing: boolean
  /** Every authorisation that there was. */
  all(): readonly AtSigningBank[]
  /** A user's word, or the bank's own, on one that is open. */
  decide(authorisation: AtSigningBank, truth: Exclude<AtSigningBank['truth'], 'open'>): void
  /** Whether everybody who has to has signed it; or anybody has. */
  isSigned(bankPaymentId: string): boolean
  isPartlySigned(bankPaymentId: string): boolean
  isWithdrawn(bankPaymentId: string): boolean
}

/** Makes one. */
export function openSigningBank({ way, signers, isMute, now }: SigningBankTraits): SigningBank {
  const authorisations: AtSigningBank[] = []
  const baskets = new Map<string, readonly string[]>()
  const withdrawn = new Set<string>()
  const signersOf = (id: string) =>
    new Set(
      authorisations
        .filter(({ what, targets, truth }) => what === 'signature' && truth === 'signed' && targets.includes(id))
        .map(({ userId }) => userId),
    )
  const isSigned = (id: string) => signersOf(id).size >= signers
  const isOpenFor = (id: string) => !withdrawn.has(id) && !isSigned(id)
  const requireThere = () => {
    if (bank.silent) {
      throw new BankRefusal('unavailable', 'The bank is away')
    }
  }
  const answer = <Answer>(found: Answer, kind: 'unavailable' | 'outcome-unknown'): Answer => {
    if (bank.losing) {
      bank.losing = false
      throw new BankRefusal(kind, 'The answer was lost')
    }
    return found
  }
  const requireSignable = ({ userId }: BankCaller, targets: readonly string[]) => {
    const open = targets.filter(isOpenFor)
    if (open.length === 0 || open.every((id) => signersOf(id).has(userId))) {
      throw new BankRefusal('authentication-busy', 'There is nothing for this user to sign')
    }
  }
  const begin = (
    what: AtSigningBank['what'],
    { userId }: BankCaller,
    targets: readonly string[],
    asked: AuthorisationAsked,
  ): StartedAuthorisation => {
    for (const one of authorisations) {
      const isReplaced = one.truth === 'open' && one.what === what && one.targets.some((id) => targets.includes(id))
      one.truth = isReplaced ? 'cancelled' : one.truth
    }
    const endsAt = now().add({ seconds: LASTS_SECONDS[way] })
    const begun: AtSigningBank = {
      id: newId(),
      what,
      userId,
      targets,
      asked,
      endsAt,
      isLost: bank.losing,
      truth: 'open',
    }
    authorisations.push(begun)
    if (bank.exempting) {
      bank.decide(begun, 'signed')
      return answer({ authorisationId: begun.id, way: { type: 'none' }, returnSecret: null }, 'unavailable')
    }
    return answer({ authorisationId: begun.id, way: wayTo(way, begun.id), returnSecret: null }, 'unavailable')
  }
  const read = (authorisationId: string): AuthorisationState => {
    requireThere()
    const found = authorisations.find(({ id }) => id === authorisationId)
    if (found === undefined || (bank.forgetful && found.truth !== 'open')) {
      throw new BankRefusal('unknown-resource', 'The bank knows no such authorisation')
    }
    const isLate = found.truth === 'open' && Temporal.Instant.compare(found.endsAt, now()) <= 0
    found.truth = isLate ? 'cancelled' : found.truth
    return { state: found.truth, scaStatus: found.truth, text: null, qr: null, unconfirmed: false }
  }
  const signing = <Target>(
    what: AtSigningBank['what'],
    targetsOf: (target: Target) => readonly string[],
    requireOpen: (caller: BankCaller, targets: readonly string[]) => void,
  ): Authorisations<Target> => ({
    start: async (caller, target, asked) => {
      requireThere()
      requireOpen(caller, targetsOf(target))
      return begin(what, caller, targetsOf(target), asked)
    },
    read: async (_caller, _target, { authorisationId }) => read(authorisationId),
    complete: async () => null,
  })
  const withdraw = (id: string) => {
    withdrawn.add(id)
    for (const one of authorisations) {
      const isOfIt = one.truth === 'open' && one.what === 'signature' && one.targets.every((target) => target === id)
      one.truth = isOfIt ? 'cancelled' : one.truth
    }
  }
  const requireStoppable = (id: string) => {
    const isTied = [...baskets.values()].some((laid) => laid.includes(id)) && signersOf(id).size === 0
    if (withdrawn.has(id) || isTied) {
      throw new BankRefusal('cancellation-refused', 'It is withdrawn already, or tied to others')
    }
  }
  const statusOf = (id: string, signed: boolean): StatusObservation => {
    requireThere()
    const [status, statusReason, bankStatus] = withdrawn.has(id)
      ? (['Cancelled', null, 'CANC'] as const)
      : isMute
        ? ([signed ? 'InProgress' : 'Unsigned', null, 'ACTC'] as const)
        : isSigned(id)
          ? (['InProgress', null, 'ACSP'] as const)
          : signersOf(id).size > 0
            ? (['CustomerActionRequired', 'PartlySigned', 'PATC'] as const)
            : (['Unsigned', null, 'RCVD'] as const)
    return { status, statusReason, statusReasonText: null, bankStatus }
  }
  const payments: DomesticPaymentProduct = {
    initiate: never,
    readOrder: never,
    read: async (_caller, { bankPaymentId }, { signed }) => statusOf(bankPaymentId, signed),
    authorisations: signing('signature', ({ bankPaymentId }) => [bankPaymentId], requireSignable),
    cancellation: {
      cancel: async (_caller, { bankPaymentId }) => {
        requireThere()
        requireStoppable(bankPaymentId)
        if (isSigned(bankPaymentId)) {
          return answer('authorisation-required', 'outcome-unknown')
        }
        withdraw(bankPaymentId)
        return answer('accepted', 'outcome-unknown')
      },
      authorisations: signing(
        'withdrawal',
        ({ bankPaymentId }) => [bankPaymentId],
        (_caller, ids) => ids.forEach(requireStoppable),
      ),
    },
  }
  const bank: SigningBank = {
    silent: false,
    forgetful: false,
    exempting: false,
    losing: false,
    isSigned,
    isPartlySigned: (id) => signersOf(id).size > 0,
    isWithdrawn: (id) => withdrawn.has(id),
    all: () => authorisations,
    decide: (one, truth) => {
      const isInTime = Temporal.Instant.compare(now(), one.endsAt) < 0
      const isPossible = one.targets.some((id) => !withdrawn.has(id) && (one.what === 'withdrawal' || !isSigned(id)))
      const counts = truth !== 'signed' || (isInTime && isPossible)
      if (one.truth === 'open') {
        one.truth = counts ? truth : 'cancelled'
        if (one.truth === 'signed' && one.what === 'withdrawal') {
          one.targets.forEach(withdraw)
        }
      }
    },
    connector: {
      domesticPayments: payments,
      baskets: {
        create: async (_caller, { payments: laid }) => {
          requireThere()
          const ids = laid.map(({ bankPaymentId }) => bankPaymentId)
          if (ids.some((id) => !isOpenFor(id) || signersOf(id).size > 0)) {
            throw new BankRefusal('basket-refused', 'One of them waits for no first signature')
          }
          const bankBasketId = newId()
          baskets.set(bankBasketId, ids)
          return answer({ bankBasketId }, 'outcome-unknown')
        },
        drop: async (_caller, bankBasketId) => {
          requireThere()
          const laid = baskets.get(bankBasketId) ?? []
          if (laid.some((id) => signersOf(id).size > 0)) {
            throw new BankRefusal('access-denied', 'Somebody has signed it')
          }
          baskets.delete(bankBasketId)
          // What is untied cannot be signed any more.
          for (const one of authorisations.filter(({ targets, truth }) => targets === laid && truth === 'open')) {
            one.truth = 'cancelled'
          }
        },
        authorisations: signing('signature', (bankBasketId) => baskets.get(bankBasketId) ?? [], requireSignable),
      },
    },
  }
  return bank
}

async function never(): Promise<never> {
  throw new Error('Nothing of this kind is expected here')
}
