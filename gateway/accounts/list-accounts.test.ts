/** Tests that every listed account can pay, also where the bank reports only IBANs without the account number. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ibanOf } from '../countries/account-number.ts'
import { nordicBanks } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'

/** Returns IBANs only, without the clearing number. */
const IBAN_ONLY = 'SKARSESS'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('an account that its bank reports by IBAN only is listed by IBAN, and pays by either field of the list', async () => {
  const bank = nordicBanks.find(({ bic }) => bic === IBAN_ONLY) ?? expect.fail('There is no such bank')
  const payer = openPaymentDriver(gateway)
  const { accounts } = await gateway.client.listAccounts(await payer.consentOf(bank))
  expect(accounts.length).toBeGreaterThan(3)
  const viewOnly = ibanOf('SE', bank.viewOnly)
  const payable = accounts.filter(({ iban, currency }) => currency === 'SEK' && iban !== viewOnly)
  expect(payable.length).toBeGreaterThan(2)
  for (const { bban, iban = '' } of accounts) {
    expect(bban).toBe(iban)
    expect(bban).toMatch(/^SE\d{22}$/)
  }
  for (const { bban, iban = '', currency } of payable) {
    for (const number of [bban, iban.replaceAll(/(.{4})/g, '$1 ')]) {
      const from = {
        account: { type: 'bban' as const, bban: number },
        contactInformation: { name: 'Norrsken' },
        currency,
      }
      expect((await payer.order(bank, { from })).paymentId).toMatch(/^[0-9a-f-]{36}$/)
    }
  }
})
