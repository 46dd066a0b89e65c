/** Tests how partners find the banks of a country, and the error where there are none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { KARI } from '../../testing/payments/sample-payments.ts'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway)
})
afterAll(() => gateway.close())

const get = (path: string) => sendRawRequest(gateway, ['GET', `/api/v2/banks/${path}`], { headers })

const FJORDBANKEN = {
  bic: 'FJORNO22',
  name: 'Fjordbanken',
  countryCode: 'NO',
  supportedProducts: [
    'PAYMENT_DOMESTIC',
    'PAYMENT_CROSS_BORDER',
    'ACCOUNTS',
    'ACCOUNT_ENTRIES',
    'ACCOUNT_ENTRIES_EXTENDED',
    'PAYMENT_CANCEL',
  ],
  userId: { required: true, example: KARI },
  status: 'Operational',
}

describe('the banks of a country', () => {
  test.each(['NO', 'no'])('%s: its banks, with what a consent needs', async (country) => {
    const { status, body } = await get(country)
    expect(status).toBe(200)
    expect(body).toContainEqual(
      expect.objectContaining({ ...FJORDBANKEN, userId: expect.objectContaining(FJORDBANKEN.userId) }),
    )
    expect(Object.values(Object(body)).map((bank) => Object(bank).countryCode)).toEqual(Array(5).fill('NO'))
  })

  test.each(['IS', 'XX', 'N', 'constructor', '987654325'])('%s: an empty list', async (country) => {
    expect(await get(country)).toMatchObject({ status: 200, body: [] })
  })
})

describe('a bank', () => {
  test('has the cut-off times for signing on each of its rails', async () => {
    const { body } = await get('SE/VASASESS')
    expect(body).toMatchObject({
      cutOffTime: expect.stringMatching(/^\d\d:\d\d$/),
      cutOffs: ['account', 'bankgiro', 'plusgiro'].map((rail) => ({
        rail,
        localTime: expect.stringMatching(/^\d\d:\d\d$/),
        bankDaysBefore: expect.any(Number),
      })),
    })
  })

  test('has every limit that orders are validated by', async () => {
    const { body } = await get('SE/MALBSESS')
    const rail = { maxAmount: null, maxRecipientNameLength: 70, maxUnstructuredRemittanceInfoLength: 35 }
    expect(Object(body).constraints).toMatchObject({
      maxUnstructuredRemittanceInfoLength: 35,
      maxUnstructuredRemittanceInfoLengthToOtherBanks: 12,
      maxCrossBorderRemittanceInfoLength: 35,
      maxDebtorReferenceLength: 20,
      maxAmounts: [{ amount: '99999999.99', currency: 'SEK' }],
      rails: [
        { rail: 'account', ...rail },
        { rail: 'bankgiro', ...rail, maxRecipientNameLength: 35 },
        { rail: 'plusgiro', ...rail },
      ],
    })
    expect(Object((await get('SE/VASASESS')).body).constraints).toMatchObject({
      maxCrossBorderRemittanceInfoLength: null,
      maxUnstructuredRemittanceInfoLengthToOtherBanks: 140,
    })
  })

  test.each(['NO/FJORNO22', 'no/fjorno22'])('%s is shown', async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, body: FJORDBANKEN })
  })

  test.each(['SE/FJORNO22', 'NO/NOSUCH22', 'NO/constructor', '%00/FJORNO22', 'NO/%00'])(
    '%s does not exist: 404',
    async (path) => {
      const answer = await get(path)
      expect(answer).toMatchObject({ status: 404, body: { message: expect.stringMatching(/\S/) } })
      expect(answer.body).not.toHaveProperty('failure')
    },
  )
})
