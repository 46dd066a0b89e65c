/** A fake connector whose users sign only when a test says so, and that holds the true state of every signature. */

import { BankError } from '../../banks/connector/bank-error.ts'
import type {
  Authorisations,
  BankCaller,
  BasketProduct,
  Connector,
  DomesticPaymentProduct,
} from '../../banks/connector/connector.ts'
import type { AuthorisationState, StartedAuthorisation } from '../../banks/connector/sca-authorisation.ts'
import { newId } from '../../platform/ids.ts'
import { AUTHORISATION_SECONDS, type ScaBankAuthorisation, scaMethodFor } from './sca-bank-authorisation.ts'
import {
  answer,
  decide,
  isOpenFor,
  isSigned,
  requireCancellationAccess,
  requireReachable,
  requireSignable,
  type ScaBankBehaviour,
  type ScaBankState,
  type ScaBankTraits,
  signersOf,
  statusOf,
  withdraw,
} from './sca-bank-state.ts'

export type ScaBank = ScaBankBehaviour & {
  readonly connector: Pick<Connector, 'domesticPayments' | 'baskets'>
  /** All authorisations, including ended ones. */
  all(): readonly ScaBankAuthorisation[]
  /** Ends an open authorisation with a decision of the user or the bank. */
  decide(authorisation: ScaBankAuthorisation, truth: Exclude<ScaBankAuthorisation['truth'], 'open'>): void
  /** Whether it is fully signed, or signed at all. */
  isSigned(bankPaymentId: string): boolean
  isPartlySigned(bankPaymentId: string): boolean
  isWithdrawn(bankPaymentId: string): boolean
}

/** Creates the bank. */
export function openScaBank(traits: ScaBankTraits): ScaBank {
  const state: ScaBankState = {
    ...traits,
    ...{ silent: false, forgetful: false, exempting: false, losing: false },
    ...{ authorisations: [], baskets: new Map(), withdrawn: new Set() },
  }
  // One shared object, so that changes by the test take effect at once.
  return Object.assign(state, {
    isSigned: (id: string) => isSigned(state, id),
    isPartlySigned: (id: string) => signersOf(state, id).size > 0,
    isWithdrawn: (id: string) => state.withdrawn.has(id),
    all: () => state.authorisations,
    decide: (one: ScaBankAuthorisation, truth: Exclude<ScaBankAuthorisation['truth'], 'open'>) =>
      decide(state, one, truth),
    connector: { domesticPayments: paymentsOf(state), baskets: basketsOf(state) },
  })
}

function paymentsOf(state: ScaBankState): DomesticPaymentProduct {
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
        requireReachable(state)
        requireCancellationAccess(state, bankPaymentId)
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
            requireCancellationAccess(state, id)
          }
        },
      }),
    },
  }
}

function basketsOf(state: ScaBankState): BasketProduct {
  const { baskets, authorisations } = state
  return {
    create: async (_caller, { payments: laid }) => {
      requireReachable(state)
      const ids = laid.map(({ bankPaymentId }) => bankPaymentId)
      if (ids.some((id) => !isOpenFor(state, id) || signersOf(state, id).size > 0)) {
        throw new BankError('basket-rejected', 'One of them waits for no first signature')
      }
      const bankBasketId = newId()
      baskets.set(bankBasketId, ids)
      return answer(state, { bankBasketId }, 'outcome-unknown')
    },
    drop: async (_caller, bankBasketId) => {
      requireReachable(state)
      const laid = baskets.get(bankBasketId) ?? []
      if (laid.some((id) => signersOf(state, id).size > 0)) {
        throw new BankError('access-denied', 'Somebody has signed it')
      }
      baskets.delete(bankBasketId)
      // A deleted basket cannot be signed any more.
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

/** The resources that are signed, and whether they can be signed now. */
type Signed<Target> = Pick<ScaBankAuthorisation, 'what'> & {
  readonly targetsOf: (target: Target) => readonly string[]
  readonly requireOpen: (state: ScaBankState, caller: BankCaller, targets: readonly string[]) => void
}

function signing<Target>(
  state: ScaBankState,
  { what, targetsOf, requireOpen }: Signed<Target>,
): Authorisations<Target> {
  return {
    start: async (caller, target, requested) => {
      requireReachable(state)
      requireOpen(state, caller, targetsOf(target))
      return begin(state, { what, userId: caller.userId, targets: targetsOf(target), requested })
    },
    read: async (_caller, _target, { authorisationId }) => read(state, authorisationId),
    complete: async () => null,
  }
}

function begin(
  state: ScaBankState,
  requested: Pick<ScaBankAuthorisation, 'what' | 'userId' | 'targets' | 'requested'>,
): StartedAuthorisation {
  const { authorisations, approach, now } = state
  const { what, targets } = requested
  for (const one of authorisations) {
    const isReplaced = one.truth === 'open' && one.what === what && one.targets.some((id) => targets.includes(id))
    one.truth = isReplaced ? 'cancelled' : one.truth
  }
  const endsAt = now().add({ seconds: AUTHORISATION_SECONDS[approach] })
  const begun: ScaBankAuthorisation = { ...requested, id: newId(), endsAt, isLost: state.losing, truth: 'open' }
  authorisations.push(begun)
  if (state.exempting) {
    decide(state, begun, 'signed')
    return answer(state, { authorisationId: begun.id, approach: { type: 'none' }, returnSecret: null }, 'unavailable')
  }
  return answer(
    state,
    { authorisationId: begun.id, approach: scaMethodFor(approach, begun.id), returnSecret: null },
    'unavailable',
  )
}

function read({ authorisations, forgetful, now, ...state }: ScaBankState, authorisationId: string): AuthorisationState {
  requireReachable(state)
  const found = authorisations.find(({ id }) => id === authorisationId)
  if (found === undefined || (forgetful && found.truth !== 'open')) {
    throw new BankError('unknown-resource', 'The bank knows no such authorisation')
  }
  const isLate = found.truth === 'open' && Temporal.Instant.compare(found.endsAt, now()) <= 0
  found.truth = isLate ? 'cancelled' : found.truth
  return { state: found.truth, scaStatus: found.truth, text: null, qr: null, unconfirmed: false }
}

async function never(): Promise<never> {
  throw new Error('SCA sessions do not use this operation of a bank')
}
