/** Tests inbound funds: matched by reference, late, short, duplicated, or unmatched. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestFxProvider, type TestFxProvider } from '../../testing/test-fx-provider.ts'

const MORNING = '2027-03-02T09:00:00Z'
const KRONER = 'NO3380590100009'

let fx: TestFxProvider
beforeAll(async () => {
  fx = await startTestFxProvider()
})
afterAll(() => fx.close())
beforeEach(async () => {
  await fx.control('/faults', undefined, 'DELETE')
  await fx.moveTo(MORNING)
})

let count = 0
/** A conversion of 100 dollars, and the code in its reason. */
async function booked(): Promise<{ id: string; code: string; cost: string }> {
  count += 1
  const code = `HVN00000${String(count).padStart(5, '0')}`
  const { body } = await fx.post('/conversions/create', {
    buy_currency: 'USD',
    sell_currency: 'NOK',
    fixed_side: 'buy',
    amount: '100.00',
    term_agreement: 'true',
    reason: `Payment ${code}`,
    unique_request_id: randomUUID(),
  })
  return { id: String(body['id']), code, cost: String(body['client_sell_amount']) }
}

async function send(amount: string, reference: string, more: object = {}): Promise<readonly { id: string }[]> {
  const made = await fx.control('/arrivals', { iban: KRONER, amount, reference, ...more })
  return [made].flat().map((one) => ({ id: String(Object(one).id) }))
}

const statusOf = async (id: string) => (await fx.get(`/conversions/${id}`)).body['status']
const received = async (reference: string) => {
  const all = [await fx.control('/arrivals')].flat().map((one) => Object(one))
  return all.filter((one) => one.reference === reference).map(({ amount, status }) => ({ amount, status }))
}

describe('inbound funds', () => {
  test('fund the conversion that their reference names, in any spelling', async () => {
    const { id, code, cost } = await booked()
    await send(cost, `invoice 12 / ${code.slice(0, 6).toLowerCase()} ${code.slice(6, 10)}-${code.slice(10)}`)
    expect(await statusOf(id)).toBe('funds_arrived')
  })

  test('in parts fund it once the last one has arrived', async () => {
    const { id, code, cost } = await booked()
    await send('1.00', code)
    expect(await statusOf(id)).toBe('awaiting_funds')
    await send((Number(cost) - 1).toFixed(2), code)
    expect(await statusOf(id)).toBe('funds_arrived')
  })

  test('fund nothing with no reference, or another one', async () => {
    const [one, other] = [await booked(), await booked()]
    await send(one.cost, 'no reference')
    await send(one.cost, other.code)
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['awaiting_funds', 'funds_arrived'])
  })

  test.each(['\0', '\ud800'])(
    'are rejected where the sender has a name that cannot be stored: %j',
    async (senderName) => {
      await expect(send('1.00', 'HVN0000000000', { senderName })).rejects.toThrow('answered 400')
    },
  )

  test('are shown as a transaction, and with their sender and reference', async () => {
    const sender = { senderName: 'Nordlys Handel AS', senderIban: 'NO9386011117947', senderBic: 'DNBANOKK' }
    const [arrival] = await send('12.34', 'HVNSHOWN00001', sender)
    const { body } = await fx.get('/transactions/find', { related_entity_id: arrival?.id ?? '', type: 'credit' })
    expect(body['transactions']).toMatchObject([
      {
        amount: '12.34',
        currency: 'NOK',
        action: 'funding',
        related_entity_type: 'inbound_funds',
        status: 'completed',
      },
    ])
    expect((await fx.get(`/funding_transactions/${arrival?.id}`)).body).toMatchObject({
      additional_information: 'HVNSHOWN00001',
      receiving_account_iban: KRONER,
      sender: { sender_name: 'Nordlys Handel AS', sender_iban: 'NO9386011117947', sender_bic: 'DNBANOKK' },
    })
    expect((await fx.get(`/funding_transactions/${randomUUID()}`)).status).toBe(404)
  })

  test('are listed from an instant on, oldest first, page by page', async () => {
    await fx.moveTo('2027-03-02T10:00:00Z')
    for (const amount of ['1.01', '1.02', '1.03']) {
      await send(amount, 'page by page')
    }
    const query = {
      related_entity_type: 'inbound_funds',
      completed_at_from: '2027-03-02T10:00:00Z',
      order: 'completed_at',
      order_asc_desc: 'asc',
      per_page: '2',
    }
    const pages = [
      await fx.get('/transactions/find', query),
      await fx.get('/transactions/find', { ...query, page: '2' }),
    ]
    expect(pages.map(({ body }) => [body['transactions']].flat().map((one) => Object(one).amount))).toEqual([
      ['1.01', '1.02'],
      ['1.03'],
    ])
    expect(pages[0]?.body['pagination']).toMatchObject({ total_entries: 3, next_page: 2, previous_page: -1 })
  })

  test('arrive once, however often the bank reports them', async () => {
    const origin = randomUUID()
    await send('5.00', 'HVNONCE000001', { origin })
    expect(await send('5.00', 'HVNONCE000001', { origin })).toEqual([])
    expect(await received('HVNONCE000001')).toEqual([{ amount: '5.00', status: 'completed' }])
  })

  test('are rejected for an account that the provider does not have, and for an invalid amount', async () => {
    await expect(fx.control('/arrivals', { iban: 'NO9386011117947', amount: '5.00' })).rejects.toThrow('404')
    await expect(fx.control('/arrivals', { iban: KRONER, amount: '0.00' })).rejects.toThrow('400')
    await expect(fx.control('/arrivals', { iban: KRONER, amount: '5.001' })).rejects.toThrow('400')
  })
})

describe('simulated faults of inbound funds', () => {
  test('late: they are in transit until then, and fund the conversion afterwards', async () => {
    const { id, code, cost } = await booked()
    await fx.control('/faults', { effect: 'funding-late', seconds: 259_200, times: 1 })
    await send(cost, code)
    expect(await received(code)).toEqual([{ amount: cost, status: 'pending' }])
    await fx.moveTo('2027-03-05T08:59:00Z')
    expect(await statusOf(id)).toBe('awaiting_funds')
    await fx.moveTo('2027-03-05T09:01:00Z')
    // Its day has passed, so it is changed at once.
    expect(await statusOf(id)).toBe('trade_settled')
  })

  test.each([
    ['short by a tenth', {}, '90.00'],
    ['short by the given amount', { amount: '0.05' }, '99.95'],
    ['short by all but the smallest unit', { amount: '500.00' }, '0.01'],
  ])('%s', async (_how, detail, amount) => {
    const code = `HVNSHORT${amount.replace('.', '')}A`
    await fx.control('/faults', { effect: 'funding-short', times: 1, ...detail })
    await send('100.00', code)
    expect(await received(code)).toEqual([{ amount, status: 'completed' }])
  })

  test('twice, without a reference, or never', async () => {
    const { id, code, cost } = await booked()
    await fx.control('/faults', { effect: 'funding-without-reference', times: 1 })
    await send(cost, code)
    await fx.control('/faults', { effect: 'funding-lost', times: 1 })
    await send(cost, code)
    expect([await received(code), await statusOf(id)]).toEqual([[], 'awaiting_funds'])
    await fx.control('/faults', { effect: 'funding-double', times: 1 })
    await send(cost, code)
    expect((await received(code)).length).toBe(2)
    expect(await statusOf(id)).toBe('funds_arrived')
  })
})
