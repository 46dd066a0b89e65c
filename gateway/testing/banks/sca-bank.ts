/** A bank behind the port whose users sign exactly when a test says so, and that knows the truth of every signature. */

import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type {
  Authorisations,
  BankCaller,
  BasketProduct,
  Connector,
  DomesticPaymentProduct,
} from '../../banks/connector/connector.ts'
import type { AuthorisationState, StartedAuthorisation } from '../../banks/connector/sca-authorisation.ts'
import { newId } from '../../platform/ids.ts'
import { type AtSigningBank, LASTS_SECONDS, wayTo } from './sca-bank-authorisation.ts'
import {
  answer,
  type Behaviour,
  decide,
  isOpenFor,
  isSigned,
  requireSignable,
  requireStoppable,
  requireThere,
  type SigningBankTraits,
  type State,
  signersOf,
  statusOf,
  withdraw,
} from './sca-bank-state.ts'

export type SigningBank = Behaviour & {
  readonly connector: Pick<Connector, 'domesticPayments' | 'baskets'>
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
export function openSigningBank(traits: SigningBankTraits): SigningBank {
  const state: State = {
    ...traits,
    ...{ silent: false, forgetful: false, exempting: false, losing: false },
    ...{ authorisations: [], baskets: new Map(), withdrawn: new Set() },
  }
  // One object: how a test has the bank behave counts from then on.
  return Object.assign(state, {
    isSigned: (id: string) => isSigned(state, id),
    isPartlySigned: (id: string) => signersOf(state, id).size > 0,
    isWithdrawn: (id: string) => state.withdrawn.has(id),
    all: () => state.authorisations,
    decide: (one: AtSigningBank, truth: Exclude<AtSigningBank['truth'], 'open'>) => decide(state, one, truth),
    connector: { domesticPayments: paymentsOf(state), baskets: basketsOf(state) },
  })
}

function paymentsOf(state: State): DomesticPaymentProduct {
  return {
    initiate: never,
    readOrder: never,
    read: async (_caller, { bankPaymentId }, { signed }) => statusOf(state, bankPaymentId, signed),
    authorisations: signing(state, {
      what: 'signature',
      targetsOf: ({ bankPaymentId }) => [bankPaymentId],
      requireOpen: requireSignable,
    }),
    cancellation: {
      cancel: async (_caller, { bankPaymentId }) => {
        requireThere(state)
        requireStoppable(state, bankPaymentId)
        if (isSigned(state, bankPaymentId)) {
          return answer(state, 'authorisation-required', 'outcome-unknown')
        }
        withdraw(state, bankPaymentId)
        return answer(state, 'accepted', 'outcome-unknown')
      },
      authorisations: signing(state, {
        what: 'withdrawal',
        targetsOf: ({ bankPaymentId }) => [bankPaymentId],
        requireOpen: (_state, _caller, ids) => {
          for (const id of ids) {
            requireStoppable(state, id)
          }
        },
      }),
    },
  }
}

function basketsOf(state: State): BasketProduct {
  const { baskets, authorisations } = state
  return {
    create: async (_caller, { payments: laid }) => {
      requireThere(state)
      const ids = laid.map(({ bankPaymentId }) => bankPaymentId)
      if (ids.some((id) => !isOpenFor(state, id) || signersOf(state, id).size > 0)) {
        throw new BankRefusal('basket-refused', 'One of them waits for no first signature')
      }
      const bankBasketId = newId()
      baskets.set(bankBasketId, ids)
      return answer(state, { bankBasketId }, 'outcome-unknown')
    },
    drop: async (_caller, bankBasketId) => {
      requireThere(state)
      const laid = baskets.get(bankBasketId) ?? []
      if (laid.some((id) => signersOf(state, id).size > 0)) {
        throw new BankRefusal('access-denied', 'Somebody has signed it')
      }
      baskets.delete(bankBasketId)
      // What is untied cannot be signed any more.
      for (const one of authorisations.filter(({ targets, truth }) => targets === laid && truth === 'open')) {
        one.truth = 'cancelled'
      }
    },
    authorisations: signing(state, {
      what: 'signature',
      targetsOf: (bankBasketId) => baskets.get(bankBasketId) ?? [],
      requireOpen: requireSignable,
    }),
  }
}

/** What is signed, and when there is something to sign. */
type Signed<Target> = Pick<AtSigningBank, 'what'> & {
  readonly targetsOf: (target: Target) => readonly string[]
  readonly requireOpen: (state: State, caller: BankCaller, targets: readonly string[]) => void
}

function signing<Target>(state: State, { what, targetsOf, requireOpen }: Signed<Target>): Authorisations<Target> {
  return {
    start: async (caller, target, asked) => {
      requireThere(state)
      requireOpen(state, caller, targetsOf(target))
      return begin(state, { what, userId: caller.userId, targets: targetsOf(target), asked })
    },
    read: async (_caller, _target, { authorisationId }) => read(state, authorisationId),
    complete: async () => null,
  }
}

function begin(
  state: State,
  asked: Pick<AtSigningBank, 'what' | 'userId' | 'targets' | 'asked'>,
): StartedAuthorisation {
  const { authorisations, way, now } = state
  const { what, targets } = asked
  for (const one of authorisations) {
    const isReplaced = one.truth === 'open' && one.what === what && one.targets.some((id) => targets.includes(id))
    one.truth = isReplaced ? 'cancelled' : one.truth
  }
  const endsAt = now().add({ seconds: LASTS_SECONDS[way] })
  const begun: AtSigningBank = { ...asked, id: newId(), endsAt, isLost: state.losing, truth: 'open' }
  authorisations.push(begun)
  if (state.exempting) {
    decide(state, begun, 'signed')
    return answer(state, { authorisationId: begun.id, way: { type: 'none' }, returnSecret: null }, 'unavailable')
  }
  return answer(state, { authorisationId: begun.id, way: wayTo(way, begun.id), returnSecret: null }, 'unavailable')
}

function read({ authorisations, forgetful, now, ...state }: State, authorisationId: string): AuthorisationState {
  requireThere(state)
  const found = authorisations.find(({ id }) => id === authorisationId)
  if (found === undefined || (forgetful && found.truth !== 'open')) {
    throw new BankRefusal('unknown-resource', 'The bank knows no such authorisation')
  }
  const isLate = found.truth === 'open' && Temporal.Instant.compare(found.endsAt, now()) <= 0
  found.truth = isLate ? 'cancelled' : found.truth
  return { state: found.truth, scaStatus: found.truth, text: null, qr: null, unconfirmed: false }
}

async function never(): Promise<never> {
  throw new Error('Nothing of this kind is expected here')
}
