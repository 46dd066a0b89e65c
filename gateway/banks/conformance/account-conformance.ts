/** Conformance tests of accounts, for connectors that offer them. */
import { describe, expect, test } from 'vitest'
import type { BankCaller } from '../connector/connector.ts'
import {
  accountOf,
  type ConformanceContext,
  initiateSampleOrder,
  required,
  runAuthorisation,
} from './conformance-harness.ts'

export function accountConformance({ harness, consented, ordering, payments }: ConformanceContext): void {
  describe('accounts', () => {
    test('are listed with an id, a number, a currency and an owner', async () => {
      const { accounts, complete } = await product().list(await consented())
      expect(complete).toBe(true)
      expect(accounts.length).toBeGreaterThan(0)
      for (const account of accounts) {
        expect(account.resourceId).toMatch(/./)
        expect(account.bban ?? account.iban).toMatch(/^[A-Z0-9]{5,34}$/)
        expect(account.currency).toMatch(/^[A-Z]{3}$/)
        expect(account.ownerName).toMatch(/\S/)
      }
    })

    test('have a balance in their own currency', async () => {
      const caller = await consented()
      const account = await firstAccount(caller)
      const { available, booked } = await product().balance(caller, account)
      expect((available ?? booked)?.currency).toBe(account.currency)
    })

    test('have the entries booked between two days, oldest first and in the account’s currency', async () => {
      const caller = await consented()
      const account = await firstAccount(caller)
      const to = await harness().today()
      const entries = await product().bookedEntries(caller, account.resourceId, { from: to.subtract({ days: 60 }), to })
      expect(entries.length).toBeGreaterThan(0)
      const days = entries.map(({ bookedOn }) => bookedOn?.toString() ?? '')
      expect(days).toEqual(days.toSorted())
      for (const entry of entries) {
        expect(entry.amount.currency).toBe(account.currency)
        expect(entry.amount.minor).not.toBe(0n)
        expect(entry.transactionId).not.toBeNull()
        expect(entry.bookedOn).not.toBeNull()
        expect(entry.counterpartyName).toMatch(/\S/)
      }
      const none = { from: to.add({ days: 1 }), to: to.add({ days: 1 }) }
      expect(await product().bookedEntries(caller, account.resourceId, none)).toEqual([])
    })

    test('have the entry of a booked payment: amount, receiver and account', async () => {
      const caller = await consented()
      const payer = await ordering()
      const { order, at } = await initiateSampleOrder(harness(), payer)
      await runAuthorisation(harness(), payments().authorisations, { caller: payer, target: at })
      await harness().settle(at.bankPaymentId)
      const to = await harness().today()
      const { resourceId } = await accountOf(harness(), caller, order.debtor)
      const entries = await product().bookedEntries(caller, resourceId, { from: to, to })
      const paid = entries.filter(({ amount }) => amount.minor === -order.amount.minor)
      expect(paid).toMatchObject([{ counterpartyName: order.creditor.name }])
      const { account } = order.creditor
      const numbers = account.type === 'account' ? [account.bban, account.iban] : [account.number]
      expect(numbers).toContain(paid[0]?.counterpartyBban ?? paid[0]?.counterpartyIban)
    })

    test('can be read without the user', async () => {
      const caller = { ...(await consented()), psu: null }
      expect((await product().list(caller)).accounts).not.toHaveLength(0)
    })

    test('cannot be read without a consent, or with one that is unknown to the bank', async () => {
      const caller = await consented()
      for (const bankConsentId of [null, crypto.randomUUID()]) {
        await expect(product().list({ ...caller, bankConsentId })).rejects.toMatchObject({
          kind: expect.stringMatching(/^(consent|token)-invalid$/),
        })
      }
    })

    test('that the consent does not include are unknown', async () => {
      const caller = await consented()
      await expect(
        product().balance(caller, { resourceId: crypto.randomUUID(), currency: 'NOK' }),
      ).rejects.toMatchObject({ kind: 'account-unknown' })
    })
  })

  const product = () => required(harness().connector.accounts, 'The connector offers no accounts')

  async function firstAccount(caller: BankCaller) {
    const {
      accounts: [account],
    } = await product().list(caller)
    return required(account, 'The consent opens no account')
  }
}
