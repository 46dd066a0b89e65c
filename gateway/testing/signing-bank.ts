/** A bank behind the port whose users sign exactly when a test says so, and that knows the truth of every signature. */
import type { AuthorisationAsked, AuthorisationState, StartedAuthorisation } from '../banks/authorisation.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Authorisations, Connector, DomesticPaymentProduct, StatusObservation } from '../banks/connector.ts'
import { newId } from '../foundation/ids.ts'

/** An authorisation as the bank has it; `targets` are the bank's ids of the payments that it signs. */
export type AtSigningBank = {
  readonly id: string
  readonly targets: readonly string[]
  readonly asked: AuthorisationAsked
  truth: 'open' | 'signed' | 'refused' | 'cancelled' | 'lapsed'
}

export type SigningBank = {
  readonly connector: Pick<Connector, 'domesticPayments' | 'baskets'>
  /** Nobody can reach it. */
  silent: boolean
  /** It has forgotten every authorisation that has ended. */
  forgetful: boolean
  /** Users sign by a code in their app instead of on its pages. */
  byCode: boolean
  /** The one that a user could decide on, if any. */
  open(): AtSigningBank | undefined
  /** Every one that there was. */
  all(): readonly AtSigningBank[]
  /** The user's word, or the bank's own; false when nothing is open. */
  decide(truth: Exclude<AtSigningBank['truth'], 'open'>): boolean
  isSigned(bankPaymentId: string): boolean
}

/** Makes one; it signs baskets where `size` is given. */
export function openSigningBank(): SigningBank {
  const authorisations: AtSigningBank[] = []
  const baskets = new Map<string, readonly string[]>()
  const isSigned = (bankPaymentId: string) =>
    authorisations.some(({ targets, truth }) => truth === 'signed' && targets.includes(bankPaymentId))
  const requireThere = () => {
    if (bank.silent) {
      throw new BankRefusal('unavailable', 'The bank is away')
    }
  }
  const start = (targets: readonly string[], asked: AuthorisationAsked): StartedAuthorisation => {
    requireThere()
    if (targets.some(isSigned)) {
      throw new BankRefusal('authentication-busy', 'This is signed already')
    }
    for (const one of authorisations) {
      one.truth = one.truth === 'open' && one.targets.some((id) => targets.includes(id)) ? 'cancelled' : one.truth
    }
    const begun: AtSigningBank = { id: newId(), targets, asked, truth: 'open' }
    authorisations.push(begun)
    const qr = { image: 'iVBORw0KGgo=', code: begun.id, kind: 'Dynamic', validUntil: FAR_AHEAD } as const
    const way = bank.byCode
      ? ({ type: 'decoupled', text: null, qr } as const)
      : ({ type: 'redirect', url: `https://bank.example/${begun.id}` } as const)
    return { authorisationId: begun.id, way, returnSecret: null }
  }
  const read = (authorisationId: string): AuthorisationState => {
    requireThere()
    const found = authorisations.find(({ id }) => id === authorisationId)
    if (found === undefined || (bank.forgetful && found.truth !== 'open')) {
      throw new BankRefusal('unknown-resource', 'The bank knows no such authorisation')
    }
    return { state: found.truth, scaStatus: found.truth, text: null, qr: null, unconfirmed: false }
  }
  const signing = <Target>(targetsOf: (target: Target) => readonly string[]): Authorisations<Target> => ({
    start: async (_caller, target, asked) => start(targetsOf(target), asked),
    read: async (_caller, _target, { authorisationId }) => read(authorisationId),
    complete: async () => null,
  })
  const statusOf = (id: string): StatusObservation => {
    requireThere()
    const [status, bankStatus] = isSigned(id) ? (['InProgress', 'ACSP'] as const) : (['Unsigned', 'RCVD'] as const)
    return { status, statusReason: null, statusReasonText: null, bankStatus }
  }
  const payments: DomesticPaymentProduct = {
    initiate: never,
    readOrder: never,
    read: async (_caller, { bankPaymentId }) => statusOf(bankPaymentId),
    authorisations: signing(({ bankPaymentId }) => [bankPaymentId]),
    cancellation: { cancel: never, authorisations: signing(() => []) },
  }
  const bank: SigningBank = {
    silent: false,
    forgetful: false,
    byCode: false,
    isSigned,
    all: () => authorisations,
    open: () => authorisations.findLast(({ truth }) => truth === 'open'),
    decide: (truth) => {
      const open = bank.open()
      Object.assign(open ?? {}, { truth })
      return open !== undefined
    },
    connector: {
      domesticPayments: payments,
      baskets: {
        create: async (_caller, { payments: laid }) => {
          requireThere()
          const bankBasketId = newId()
          baskets.set(
            bankBasketId,
            laid.map(({ bankPaymentId }) => bankPaymentId),
          )
          return { bankBasketId }
        },
        drop: async (_caller, bankBasketId) => {
          requireThere()
          baskets.delete(bankBasketId)
        },
        authorisations: signing((bankBasketId) => baskets.get(bankBasketId) ?? []),
      },
    },
  }
  return bank
}

const FAR_AHEAD = Temporal.Instant.from('2100-01-01T00:00:00Z')

async function never(): Promise<never> {
  throw new Error('Nothing of this kind is expected here')
}
