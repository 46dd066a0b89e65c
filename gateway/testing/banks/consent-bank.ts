/** A fake connector that holds the true state of consents, ends older ones of a user, and can be made unreachable. */

import { BankError } from '../../banks/connector/bank-error.ts'
import type { BankConsentState, Connector } from '../../banks/connector/connector.ts'

export type BankConsent = {
  readonly id: string
  readonly user: string
  readonly validUntil: Temporal.Instant
  state: BankConsentState['state'] | 'deleted'
}

export type ConsentBank = {
  readonly connector: Pick<Connector, 'consents' | 'oauth'>
  /** Whether the bank is unreachable. */
  silent: boolean
  grantsEnded: number
  ask(consent: Pick<BankConsent, 'id' | 'user' | 'validUntil'>): void
  /** Accepts a consent and ends the older ones of its user. False when it is not pending. */
  accept(id: string): boolean
  /** Revokes a valid consent; false when it is not valid. */
  end(id: string, state: 'revoked' | 'revoked-by-user' | 'deleted'): boolean
  stateOf(id: string): BankConsent['state']
}

/** Creates the bank with the test's clock. */
export function openConsentBank(now: () => Temporal.Instant): ConsentBank {
  const held = new Map<string, BankConsent>()
  const stateOf = (id: string): BankConsent['state'] => {
    const consent = held.get(id)
    const isOver = consent?.state === 'valid' && Temporal.Instant.compare(consent.validUntil, now()) <= 0
    return isOver ? 'expired' : (consent?.state ?? 'deleted')
  }
  const requireThere = () => {
    if (bank.silent) {
      throw new BankError('unavailable', 'The bank is unreachable')
    }
  }
  const move = (id: string, from: BankConsent['state'], state: BankConsent['state']): boolean => {
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
          if (state === 'deleted') {
            throw new BankError('consent-invalid', 'The bank knows no such consent')
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
        revokeGrant: async () => {
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
  throw new Error('Consents do not use this operation of a bank')
}
