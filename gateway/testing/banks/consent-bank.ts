/** A bank behind the port that knows the truth of every consent, ends the older one of a user, and is away when a test says so. */

import type { BankConsentState } from '../../banks/connector/bank-consent.ts'
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { Connector } from '../../banks/connector/connector.ts'

/** A consent as the bank has it. */
export type AtConsentBank = {
  readonly id: string
  readonly user: string
  readonly validUntil: Temporal.Instant
  state: BankConsentState['state'] | 'forgotten'
}

export type ConsentBank = {
  readonly connector: Pick<Connector, 'consents' | 'oauth'>
  /** Nobody can reach it. */
  silent: boolean
  /** How many grants were ended. */
  grantsEnded: number
  ask(consent: Pick<AtConsentBank, 'id' | 'user' | 'validUntil'>): void
  /** Its user agrees; the older ones of that user end. False when it waits for nobody. */
  accept(id: string): boolean
  /** Ends one in force; false when it is not. */
  end(id: string, state: 'revoked' | 'revoked-by-user' | 'forgotten'): boolean
  stateOf(id: string): AtConsentBank['state']
}

/** Makes one; its time is the test's. */
export function openConsentBank(now: () => Temporal.Instant): ConsentBank {
  const held = new Map<string, AtConsentBank>()
  const stateOf = (id: string): AtConsentBank['state'] => {
    const consent = held.get(id)
    const isOver = consent?.state === 'valid' && Temporal.Instant.compare(consent.validUntil, now()) <= 0
    return isOver ? 'expired' : (consent?.state ?? 'forgotten')
  }
  const requireThere = () => {
    if (bank.silent) {
      throw new BankRefusal('unavailable', 'The bank is away')
    }
  }
  const move = (id: string, from: AtConsentBank['state'], state: AtConsentBank['state']): boolean => {
    const isMoved = stateOf(id) === from
    Object.assign((isMoved && held.get(id)) || {}, { state })
    return isMoved
  }
  const bank: ConsentBank = {
    silent: false,
    grantsEnded: 0,
    stateOf,
    ask: (consent) => held.set(consent.id, { ...consent, state: 'pending' }),
    accept: (id) => {
      const user = held.get(id)?.user
      const isAccepted = move(id, 'pending', 'valid')
      for (const older of isAccepted ? held.values() : []) {
        if (older.id !== id && older.user === user) {
          move(older.id, 'valid', 'revoked')
        }
      }
      return isAccepted
    },
    end: (id, state) => move(id, 'valid', state),
    connector: {
      consents: {
        create: never,
        authorisations: { start: never, read: never, complete: never },
        read: async (_caller, id) => {
          requireThere()
          const state = stateOf(id)
          if (state === 'forgotten') {
            throw new BankRefusal('consent-invalid', 'The bank knows no such consent')
          }
          return { state, validUntil: null, bankStatus: state }
        },
        revoke: async (_caller, id) => {
          requireThere()
          move(id, 'pending', 'revoked')
          move(id, 'valid', 'revoked')
        },
      },
      oauth: {
        begin: never,
        exchange: never,
        refresh: never,
        endGrant: async () => {
          requireThere()
          bank.grantsEnded += 1
          return true
        },
      },
    },
  }
  return bank
}

async function never(): Promise<never> {
  throw new Error('Nothing of this kind is expected here')
}
