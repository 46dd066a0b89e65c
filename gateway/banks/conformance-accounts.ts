/** What every connector guarantees of accounts, where it offers them. */
import { describe, expect, test } from 'vitest'
import { type Opened, required } from './conformance-harness.ts'
import type { BankCaller } from './connector.ts'

/** Registers the tests of accounts. */
export function accountConformance({ harness, consented }: Opened): void {
  describe('accounts', () => {
    test('are listed with an id, a number, a currency and an owner', async () => {
      const accounts = await product().list(await consented())
      expect(accounts.length).toBeGreaterThan(0)
      for (const account of accounts) {
        expect(account.resourceId).not.toBe('')
        expect(account.bban ?? account.iban).toMatch(/^[A-Z0-9]{5,34}$/)
        expect(account.currency).toMatch(/^[A-Z]{3}$/)
        expect(account.ownerName).toMatch(/\S/)
      }
    })

    test('have a balance in their own currency', async () => {
      const caller = await consented()
      const account = await firstAccount(caller)
      const { available, booked } = await product().balance(caller, account.resourceId)
      expect((available ?? booked)?.currency).toBe(account.currency)
    })

    test('can be read while the user is away', async () => {
      const caller = { ...(await consented()), psu: null }
      expect(await product().list(caller)).not.toHaveLength(0)
    })

    test('are closed without a consent, and with one that the bank never saw', async () => {
      const caller = await consented()
      for (const bankConsentId of [null, crypto.randomUUID()]) {
        await expect(product().list({ ...caller, bankConsentId })).rejects.toMatchObject({ kind: 'consent-invalid' })
      }
    })

    test('that the consent does not open are unknown', async () => {
      const caller = await consented()
      await expect(product().balance(caller, crypto.randomUUID())).rejects.toMatchObject({ kind: 'account-unknown' })
    })
  })

  const product = () => required(harness().connector.accounts, 'The connector offers no accounts')

  async function firstAccount(caller: BankCaller) {
    const [account] = await product().list(caller)
    return required(account, 'The consent opens no account')
  }
}
