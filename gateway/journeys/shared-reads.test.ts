/** Tests that requests which share a read find the same as each alone, in their own order. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCompanies } from '../companies/company-store.ts'
import { findConsentAccounts } from '../consents/accounts/find-account.ts'
import { findConsent, findConsents } from '../consents/consent-store.ts'
import { findRequests, insertRequest } from '../platform/http/idempotency/idempotency-store.ts'
import { newId } from '../platform/ids.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, MAIN_ACCOUNT } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** Without the place of a row in its statement. */
const textOf = (found: unknown) => JSON.stringify(found, (name, value) => (name === 'position' ? undefined : value))

/** The key in the middle finds nothing. */
async function expectSameTogether<Key, Found>(
  find: (keys: readonly Key[]) => Promise<readonly Found[]>,
  [first, unknown, last]: readonly [Key, Key, Key],
): Promise<void> {
  const alone = await Promise.all([first, unknown, last].map(async (key) => (await find([key]))[0]))
  const shared = await find([first, unknown, last])
  expect(textOf(shared)).toBe(textOf(alone))
  expect(shared.map((found) => found !== null && found !== undefined)).toEqual([true, false, true])
}

test('consents, their companies and accounts, and stored requests', async () => {
  const { context } = gateway
  const [{ consentId: id }, { consentId: otherId }] = [await acceptedConsent(gateway), await acceptedConsent(gateway)]
  const { rows } = await context.database.pool.query('select partner_id from consents where id = $1', [id])
  const partnerId = String(rows[0].partner_id)
  await expectSameTogether(
    (keys) => findConsents(context, keys),
    [
      { partnerId, id },
      { partnerId, id: newId() },
      { partnerId, id: otherId },
    ],
  )
  const { countryCode, organisationNumber } = (await findConsent(context, { partnerId, id })) ?? expect.fail()
  const company = { partnerId, countryCode, organisationNumber }
  await expectSameTogether(
    (numbers) => findCompanies(context.database, numbers),
    [company, { ...company, organisationNumber: '1' }, company],
  )
  const account = { partnerId, consentId: id, bban: MAIN_ACCOUNT, iban: null }
  await expectSameTogether(
    (numbers) => findConsentAccounts(context.database, numbers),
    [{ ...account, currency: 'NOK' }, { ...account, bban: '1' }, account],
  )
  const key = { partnerId, operation: 'POST /x', key: newId(), fingerprint: 'same' }
  const started = { partnerId, idempotencyOperation: key.operation, idempotencyKey: key.key }
  const row = { ...started, idempotencyFingerprint: 'same', idempotencySubjectId: newId() }
  await insertRequest(context.database, { ...row, idempotencyStartedAt: context.clock.real() }, null)
  await expectSameTogether((keys) => findRequests(context.database.pool, keys), [key, { ...key, key: newId() }, key])
})
