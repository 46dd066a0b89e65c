/** Journey: an operator adds a bank with a new profile to a running gateway, and the profile's limits apply. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import shipped from '../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import { openBankProfiles } from '../banks/directory/bank-profile-files.ts'
import { putBank } from '../banks/directory/directory-entry.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../testing/fx/sample-exchange-orders.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment, dollarSupplier } from '../testing/payments/sample-cross-border-payments.ts'

let folder: string
let stage: GatewayWithFx
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-profiles-'))
  stage = await startGatewayWithFx({ settings: { HAVN_BANK_PROFILES_DIR: folder } })
  await moveToHour(stage.gateway, '09:00')
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

test('a bank with a new profile is available at once, and quotes that its payments could not fund are rejected', async () => {
  const { gateway } = stage
  const bank = nordicBank('FJORNO22')
  const { consentId } = await openPaymentDriver(gateway).consentOf(bank)
  const headers = await validHeaders(gateway, consentId)
  const maxLength = async () => {
    const { body } = await sendRawRequest(gateway, ['GET', '/api/v2/banks/NO/FJORNO22'], { headers })
    return Object(body).constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  }
  const from = { bban: bank.main, currency: bank.currency }
  const amount = { amount: '1000.00', currency: 'USD' }
  const dollars = crossBorderPayment(gateway, bank, from, { to: dollarSupplier, amount })
  expect(await maxLength()).toBe(140)

  const constraints = { ...shipped.constraints, maxUnstructuredRemittanceInfoLengthToOtherBanks: 11 }
  await writeFile(join(folder, 'terse.json'), JSON.stringify({ ...shipped, name: 'terse', constraints }))
  await putBank(gateway.context.database, await (await openBankProfiles(folder, gateway.context.log)).current(), {
    ...{ bic: bank.bic, name: 'Fjordbanken', countryCode: 'NO', connector: 'berlin-group', profile: 'terse' },
    address: `${gateway.bank.xs2aUrl}/fjordbanken`,
    linkHosts: [new URL(gateway.bank.xs2aUrl).host, new URL(gateway.bank.pagesUrl).host],
  })
  gateway.passWallTime(5)
  expect(await maxLength()).toBe(11)

  const reason = expect.stringContaining('a reference code of 12 characters; Fjordbanken accepts at most 11')
  expect(
    await sendRawRequest(gateway, ['POST', '/api/fx/payments'], { headers, body: exchangeOrder(gateway) }),
  ).toMatchObject({
    status: 422,
    body: [{ code: 'InvalidRemittanceInformation', path: '.from.bic', reason }],
  })
  expect(
    await sendRawRequest(gateway, ['POST', '/api/v2/payments/cross-border'], { headers, body: dollars }),
  ).toMatchObject({
    status: 400,
    body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK', message: reason },
  })
})
