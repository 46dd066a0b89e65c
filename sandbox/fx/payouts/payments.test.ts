/** Tests payments to beneficiaries: idempotent creation, sending when due and funded, and every final status. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, startTestFxProvider, type TestFxProvider } from '../../testing/test-fx-provider.ts'

const MORNING = '2027-03-02T09:00:00Z'
const SETTLED = '2027-03-04T12:00:00Z'

let fx: TestFxProvider
let receiver = ''
beforeAll(async () => {
  fx = await startTestFxProvider()
  const { body } = await fx.post('/beneficiaries/create', {
    name: 'Muster GmbH',
    bank_account_holder_name: 'Muster GmbH',
    bank_country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
    beneficiary_country: 'DE',
    beneficiary_city: 'Köln',
    beneficiary_address: 'Domplatz 1',
  })
  receiver = String(body['id'])
})
afterAll(() => fx.close())
beforeEach(async () => {
  await fx.control('/faults', undefined, 'DELETE')
  await fx.moveTo(MORNING)
})

let count = 0
/** A conversion into 100 euros that has its funds. */
async function fundedConversion(): Promise<string> {
  count += 1
  const code = `HVN00000${String(count).padStart(5, '0')}`
  const { body } = await fx.post('/conversions/create', {
    buy_currency: 'EUR',
    sell_currency: 'NOK',
    fixed_side: 'buy',
    amount: '100.00',
    term_agreement: 'true',
    reason: code,
    unique_request_id: randomUUID(),
  })
  await fx.control('/arrivals', { iban: 'NO3380590100009', amount: body['client_sell_amount'], reference: code })
  return String(body['id'])
}

async function pay(changes: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return await fx.post('/payments/create', {
    currency: 'EUR',
    beneficiary_id: receiver,
    amount: '100.00',
    reason: 'Invoice',
    reference: 'Invoice 17',
    unique_request_id: randomUUID(),
    ...changes,
  })
}

const codesOf = ({ body }: Answer) =>
  Object.values(Object(body['error_messages'])).flatMap((validationErrors) =>
    [validationErrors].flat().map((validationError) => String(Object(validationError).code)),
  )
const read = async (id: unknown) => (await fx.get(`/payments/${id}`)).body
/** The balance, as the sum of its transactions. */
const euros = async () => {
  const { body } = await fx.get('/transactions/find', { currency: 'EUR', per_page: '100' })
  const amounts = [body['transactions']].flat().map((one) => Object(one))
  return amounts.reduce((sum, { type, amount }) => sum + (type === 'debit' ? -Number(amount) : Number(amount)), 0)
}

describe('a payment', () => {
  test('is sent when its conversion has settled, arrives half a minute later, and closes the conversion', async () => {
    const conversion_id = await fundedConversion()
    const { body } = await pay({ conversion_id })
    expect(body).toMatchObject({ status: 'ready_to_send', conversion_id, payment_date: '2027-03-04', amount: '100.00' })
    await fx.moveTo('2027-03-04T10:29:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'ready_to_send', transferred_at: '' })
    await fx.moveTo('2027-03-04T10:30:01Z')
    expect(await read(body['id'])).toMatchObject({ status: 'submitted', transferred_at: '2027-03-04T10:30:00+00:00' })
    await fx.moveTo('2027-03-04T10:31:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'completed', failure_reason: '' })
    expect((await fx.get(`/conversions/${conversion_id}`)).body).toMatchObject({
      status: 'closed',
      payment_ids: [body['id']],
      unallocated_funds: '0.00',
    })
  })

  test('waits while its conversion has no funds', async () => {
    const conversion_id = await fundedConversion()
    const empty = await fx.post('/conversions/create', {
      buy_currency: 'EUR',
      sell_currency: 'NOK',
      fixed_side: 'buy',
      amount: '100.00',
      term_agreement: 'true',
      reason: 'HVNNOMONEY123',
    })
    const waiting = await pay({ conversion_id: String(empty.body['id']) })
    const { body } = await pay({ conversion_id })
    await fx.moveTo(SETTLED)
    expect([(await read(waiting.body['id']))['status'], (await read(body['id']))['status']]).toEqual([
      'ready_to_send',
      'completed',
    ])
  })

  test('from a balance waits until that is sufficient', async () => {
    await fx.moveTo('2027-03-02T10:00:00Z')
    const amount = ((await euros()) + 50).toFixed(2)
    const { body } = await pay({ amount })
    await fx.moveTo('2027-03-02T11:00:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'ready_to_send' })
    await fx.control('/arrivals', { iban: 'FI8979907790000006', amount: '50.00', reference: 'for the balance' })
    await fx.moveTo('2027-03-02T11:01:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'completed' })
    expect(await euros()).toBe(0)
  })

  test('from a balance is sent when another one is returned to it', async () => {
    const first = await pay({ conversion_id: await fundedConversion() })
    await fx.moveTo(SETTLED)
    const amount = ((await euros()) + 100).toFixed(2)
    const { body } = await pay({ amount })
    await fx.moveTo('2027-03-04T12:10:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'ready_to_send' })
    await fx.control(`/payments/${first.body['id']}/return`, {})
    await fx.moveTo('2027-03-04T12:11:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'completed' })
  })

  test('out of a conversion that is cancelled is not sent: nothing was bought', async () => {
    const conversion_id = await fundedConversion()
    const { body } = await pay({ conversion_id })
    expect((await fx.post(`/conversions/${conversion_id}/cancel`)).status).toBe(200)
    await fx.moveTo(SETTLED)
    expect(await read(body['id'])).toMatchObject({ status: 'ready_to_send' })
  })

  test('is created once per request id, and found by it', async () => {
    const [conversion_id, unique_request_id] = [await fundedConversion(), randomUUID()]
    const requested = { conversion_id, unique_request_id, amount: '10.00' }
    const answers = await Promise.all([pay(requested), pay(requested), pay(requested)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(answers.flatMap(codesOf)).toEqual(['duplicate_request', 'duplicate_request'])
    const { body } = await fx.get('/payments/find', { unique_request_id })
    expect(body).toMatchObject({ payments: [{ unique_request_id, conversion_id }], pagination: { total_entries: 1 } })
  })

  test.each([
    ['an unknown beneficiary', { beneficiary_id: randomUUID() }, 'invalid_beneficiary_id'],
    ['a beneficiary in another currency', { currency: 'USD' }, 'invalid_beneficiary_currency'],
    ['an unknown conversion', { conversion_id: randomUUID() }, 'invalid_conversion_id'],
    ['nothing', { amount: '0' }, 'amount_type_is_wrong'],
    ['a Sunday', { payment_date: '2027-03-07' }, 'invalid_payment_date'],
    ['yesterday', { payment_date: '2027-03-01' }, 'invalid_payment_date'],
  ])('is rejected for %s', async (_what, changes, code) => {
    const answer = await pay(changes)
    expect([answer.status, ...codesOf(answer)]).toEqual([400, code])
  })

  test('is rejected for more than its conversion bought, before its day, and when that is simulated', async () => {
    const conversion_id = await fundedConversion()
    expect((await pay({ conversion_id, amount: '60.00' })).status).toBe(200)
    expect(codesOf(await pay({ conversion_id, amount: '40.01' }))).toEqual(['invalid_amount_for_conversion'])
    expect(codesOf(await pay({ conversion_id, amount: '1.00', payment_date: '2027-03-03' }))).toEqual([
      'payment_date_is_too_early',
    ])
    await fx.control('/faults', { effect: 'refuse-payment', times: 1 })
    expect(codesOf(await pay({ conversion_id, amount: '40.00' }))).toEqual(['unsupported_account'])
    expect((await pay({ conversion_id, amount: '40.00' })).status).toBe(200)
    await fx.moveTo(SETTLED)
    expect((await fx.get(`/conversions/${conversion_id}`)).body).toMatchObject({ status: 'closed' })
  })
})

describe('simulated faults of a payment', () => {
  test('suspended, until it is released', async () => {
    await fx.control('/faults', { effect: 'payment-suspended', times: 1 })
    const { body } = await pay({ conversion_id: await fundedConversion() })
    await fx.moveTo(SETTLED)
    expect(await read(body['id'])).toMatchObject({ status: 'suspended', review_status: 'in_review' })
    await fx.control(`/payments/${body['id']}/release`, {})
    await fx.moveTo('2027-03-04T12:01:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'completed' })
  })

  test('failed when it is sent: the amount is on the balance again', async () => {
    await fx.control('/faults', { effect: 'payment-failed', times: 1 })
    const before = await euros()
    const { body } = await pay({ conversion_id: await fundedConversion() })
    await fx.moveTo(SETTLED)
    expect(await read(body['id'])).toMatchObject({
      status: 'failed',
      failure_reason: 'Rejected by the payment scheme',
      failure_returned_amount: '100.00',
    })
    expect(await euros()).toBe(before + 100)
  })

  test('returned an hour after it was completed', async () => {
    await fx.control('/faults', { effect: 'payment-returned', times: 1 })
    const { body } = await pay({ conversion_id: await fundedConversion() })
    await fx.moveTo('2027-03-04T10:40:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'completed' })
    await fx.moveTo('2027-03-04T11:31:00Z')
    expect(await read(body['id'])).toMatchObject({ status: 'failed', failure_returned_amount: '100.00' })
  })

  test('returned less the charges of intermediary banks', async () => {
    const before = await euros()
    const { body } = await pay({ conversion_id: await fundedConversion() })
    await fx.moveTo(SETTLED)
    await expect(fx.control(`/payments/${body['id']}/return`, { kept: '15.005' })).rejects.toThrow('400')
    await fx.control(`/payments/${body['id']}/return`, { kept: '15.00' })
    expect(await read(body['id'])).toMatchObject({ status: 'failed', failure_returned_amount: '85.00' })
    expect(await euros()).toBe(before + 85)
  })

  test('sent before its day, when requested', async () => {
    const { body } = await pay({ conversion_id: await fundedConversion() })
    expect(await fx.control(`/payments/${body['id']}/send`, {})).toMatchObject({ status: 'completed' })
  })

  test('not returned by arriving when it was sent already', async () => {
    const { body } = await pay({ conversion_id: await fundedConversion() })
    await fx.moveTo('2027-03-04T10:30:01Z')
    expect(await fx.control(`/payments/${body['id']}/send`, {})).toMatchObject({ status: 'completed' })
  })

  test.each(['release', 'return', 'suspend', 'fail', 'send'])('not %s when it has failed', async (step) => {
    const { body } = await pay({ conversion_id: await fundedConversion() })
    await fx.control(`/payments/${body['id']}/fail`, {})
    await expect(fx.control(`/payments/${body['id']}/${step}`, {})).rejects.toThrow('409')
  })
})
