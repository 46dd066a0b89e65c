/** Tests how a bulk and its payments change over time, on a clock that the test moves. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { MONDAY } from '../../testing/bank-test-client.ts'
import { type BulkTestClient, bulkTestClient } from '../../testing/bulk-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { outcomes } from '../outcomes/scripted-outcome-table.ts'

const MAIN = '80511100015'
const NO_MONEY = '80511100023'
const SUPPLIER = '80511200028'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())
beforeEach(async () => {
  await fjell.tpp.control('POST', '/reset')
  await fjell.clockTo(MONDAY)
})

const fjell = bulkTestClient(() => tested, 'FJELNO22')
const vestkyst = bulkTestClient(() => tested, 'VSKYNO22')
const aurajoki = bulkTestClient(() => tested, 'AURAFIHH')
const signed = async (visit: BulkTestClient, payments: readonly (string | object)[], changes: object = {}) => {
  const path = await visit.placed(payments, changes)
  await visit.sign(path)
  return path
}
const aMinuteLater = '2031-03-03T08:01:00Z'

describe('a signed bulk', () => {
  test('pays every creditor, to the øre, and is returned as a whole', async () => {
    const toSupplier = fjell.element('100.10', { creditorAccount: { bban: SUPPLIER } })
    const path = await signed(fjell, ['12500.00', toSupplier, '0.01', toSupplier])
    await fjell.clockTo(aMinuteLater)
    expect(await fjell.statusOf(path)).toBe('ACSC')
    expect([await fjell.balanceOf(MAIN), await fjell.balanceOf(SUPPLIER)]).toEqual(['987299.79', '410200.20'])
    const returned = { transactionStatus: 'RJCT', reason: 'returned' }
    await fjell.tpp.control('POST', `/payments/${path.split('/').at(-1)}/status`, returned)
    expect([await fjell.balanceOf(MAIN), await fjell.balanceOf(SUPPLIER)]).toEqual(['1000000.00', '410000.00'])
  })

  test('waits for its day', async () => {
    const path = await signed(fjell, ['1.00'], { requestedExecutionDate: '2031-03-05' })
    await fjell.clockTo('2031-03-04T23:00:00Z')
    expect(await fjell.statusOf(path)).toBe('ACSP')
    await fjell.clockTo('2031-03-05T05:00:00Z')
    expect(await fjell.statusOf(path)).toBe('ACSC')
  })

  test('waits for funds, for its total, and is rejected when the day is over', async () => {
    const path = await signed(fjell, ['90.00', '10.01'], { debtorAccount: fjell.bank.account.noMoney })
    await fjell.clockTo(aMinuteLater)
    const { body } = await fjell.tpp.send('GET', `${path}/status`)
    expect(body).toMatchObject({ transactionStatus: 'ACSP', fundsAvailable: false })
    expect(await fjell.balanceOf(NO_MONEY)).toBe('100.00')
    await fjell.clockTo('2031-03-04T08:00:00Z')
    expect(await fjell.statusOf(path)).toBe('RJCT')
    expect(await fjell.inside(path)).toEqual([null, null])
  })

  test('is executed once there are funds', async () => {
    const path = await signed(fjell, ['90.00', '10.01'], { debtorAccount: fjell.bank.account.noMoney })
    await fjell.clockTo(aMinuteLater)
    await fjell.tpp.control('POST', `/accounts/${NO_MONEY}/balance`, { amount: '100.01' })
    expect([await fjell.statusOf(path), await fjell.balanceOf(NO_MONEY)]).toEqual(['ACSC', '0.00'])
  })

  test('has the outcome that its sum selects', async () => {
    const path = await signed(fjell, ['7000.00', '702.00'])
    expect(await fjell.statusOf(path)).toBe('RJCT')
    const returned = await signed(fjell, [fjell.element('7000.00', { creditorAccount: { bban: SUPPLIER } }), '705.00'])
    expect([await fjell.statusOf(returned), await fjell.balanceOf(MAIN)]).toEqual(['ACSC', '992295.00'])
    await fjell.clockTo('2031-03-04T08:00:00Z')
    expect(await fjell.statusOf(returned)).toBe('RJCT')
    expect(await fjell.inside(returned)).toEqual(['RJCT', 'RJCT'])
    expect([await fjell.balanceOf(MAIN), await fjell.balanceOf(SUPPLIER)]).toEqual(['1000000.00', '410000.00'])
  })

  test('loses its response when its sum selects that', async () => {
    await expect(fjell.order(['7000.00', '752.00'])).rejects.toThrow()
    expect((await fjell.tpp.control('GET', '/payments')).body).toMatchObject([{ size: 2, amount: '7752.00' }])
  })
})

describe('a payment whose amount selects an outcome', () => {
  test('has its own outcome once the bulk is executed', async () => {
    const courses: readonly (readonly [amount: string, first: string, later: string])[] = [
      ['200.00', 'ACSC', 'ACSC'],
      ['7701.00', 'ACSC', 'ACSC'],
      ['7702.00', 'RJCT', 'RJCT'],
      ['7703.00', 'ACSP', 'RJCT'],
      ['7704.00', 'ACTC', 'CANC'],
      ['7706.00', 'ACSP', 'ACSP'],
      ['7713.00', 'PDNG', 'PDNG'],
    ]
    const path = await signed(
      fjell,
      courses.map(([amount]) => amount),
    )
    const byAmount = async () => {
      const statuses = await fjell.inside(path)
      return courses.map(([amount], position) => [amount, statuses[position]])
    }
    expect(await byAmount()).toEqual(courses.map(([amount]) => [amount, null]))
    await fjell.clockTo(aMinuteLater)
    expect(await byAmount()).toEqual(courses.map(([amount, first]) => [amount, first]))
    await fjell.clockTo('2031-03-03T08:02:00Z')
    expect(await byAmount()).toEqual(courses.map(([amount, , later]) => [amount, later]))
    expect([await fjell.statusOf(path), await fjell.balanceOf(MAIN)]).toEqual(['PART', '992099.00'])
  })

  test('is booked later, or returned, on its own', async () => {
    const path = await signed(fjell, ['1.00', '7705.00', '7707.00'])
    await fjell.clockTo(aMinuteLater)
    expect([await fjell.inside(path), await fjell.statusOf(path)]).toEqual([['ACSC', 'ACSC', 'PDNG'], 'ACSP'])
    await fjell.clockTo('2031-03-06T08:00:00Z')
    expect([await fjell.inside(path), await fjell.statusOf(path)]).toEqual([['ACSC', 'RJCT', 'ACSC'], 'PART'])
    expect(await fjell.balanceOf(MAIN)).toBe('992292.00')
  })

  test('is booked on its own when the bulk is settled by the control API, and nothing twice', async () => {
    const path = await signed(fjell, ['1.00', '7706.00', '7702.00'])
    for (const _again of [1, 2, 3]) {
      await fjell.tpp.control('POST', `/payments/${path.split('/').at(-1)}/settle`)
    }
    expect([await fjell.inside(path), await fjell.statusOf(path)]).toEqual([['ACSC', 'ACSP', 'RJCT'], 'PART'])
    const other = await signed(fjell, ['2.00', '7706.00'])
    for (const _again of [1, 2, 3]) {
      await fjell.tpp.control('POST', `/payments/${other.split('/').at(-1)}/settle`)
    }
    expect([await fjell.inside(other), await fjell.statusOf(other)]).toEqual([['ACSC', 'ACSC'], 'ACSC'])
    expect(await fjell.balanceOf(MAIN)).toBe('992291.00')
  })

  test('is rejected when it is executed later and the funds are gone', async () => {
    const path = await signed(fjell, ['1.00', '7707.00'])
    await fjell.clockTo(aMinuteLater)
    await fjell.tpp.control('POST', `/accounts/${MAIN}/balance`, { amount: '5.00' })
    await fjell.clockTo('2031-03-06T08:00:00Z')
    expect([await fjell.inside(path), await fjell.statusOf(path)]).toEqual([['ACSC', 'RJCT'], 'PART'])
  })

  test('makes the whole bulk rejected when it is the only one, and when all others are rejected', async () => {
    const path = await signed(fjell, ['7702.00', '7717.00'])
    await fjell.clockTo('2031-03-06T08:00:00Z')
    expect([await fjell.inside(path), await fjell.statusOf(path)]).toEqual([['RJCT', 'RJCT'], 'RJCT'])
    expect(await fjell.balanceOf(MAIN)).toBe('1000000.00')
  })
})

describe('a partly rejected bulk', () => {
  const read = async (visit: BulkTestClient) => {
    const path = await signed(visit, ['1.00', '7702.00', '2.00'])
    await visit.clockTo(aMinuteLater)
    expect(await visit.statusOf(path)).toBe('PART')
    const { body } = await visit.tpp.send('GET', path)
    return (body as { payments: readonly { transactionStatus?: string; paymentId?: string }[] }).payments
  }

  test('lists the status of each payment, and the reason, where the bank lists them', async () => {
    const psuMessage = 'The daily limit of the agreement is used up'
    expect(await read(fjell)).toMatchObject([
      { transactionStatus: 'ACSC' },
      { transactionStatus: 'RJCT', psuMessage },
      { transactionStatus: 'ACSC' },
    ])
  })

  test('returns the status of each payment by its own id, where it has one', async () => {
    const ids = (await read(vestkyst)).map(({ paymentId }) => paymentId)
    const statuses = await Promise.all(ids.map((id) => vestkyst.statusOf(`${vestkyst.bank.payments}/${id}`)))
    expect(statuses).toEqual(['ACSC', 'RJCT', 'ACSC'])
  })

  test('returns none where the bank reports no single payments', async () => {
    const payments = await read(aurajoki)
    expect(payments.map((payment) => Object.keys(payment).filter((name) => /status|id|psu/i.test(name)))).toEqual([
      [],
      [],
      [],
    ])
  })

  test('may have been changed by the control API, also after that', async () => {
    const path = await signed(fjell, ['1.00', '2.00'])
    const elements = `/payments/${path.split('/').at(-1)}/elements`
    const set = (position: number, transactionStatus: string) =>
      fjell.tpp.control('POST', `${elements}/${position}/status`, { transactionStatus })
    expect((await set(0, 'RJCT')).status).toBe(409)
    await fjell.clockTo(aMinuteLater)
    expect((await set(0, 'RJCT')).body).toMatchObject({ transactionStatus: 'PART' })
    expect((await set(1, 'RJCT')).body).toMatchObject({ transactionStatus: 'RJCT' })
    expect((await set(0, 'ACSC')).body).toMatchObject({ transactionStatus: 'PART' })
    expect((await set(2, 'ACSC')).status).toBe(404)
    await fjell.tpp.control('POST', `/payments/${path.split('/').at(-1)}/status`, { transactionStatus: 'CANC' })
    expect(await fjell.inside(path)).toEqual([null, null])
  })
})

describe('the account statement', () => {
  const lines = async (visit: BulkTestClient, changes: object) => {
    await signed(visit, ['1.00', '2.00', '7702.00'], changes)
    await visit.clockTo(aMinuteLater)
    const consentId = await visit.tpp.consent()
    const headers = { 'Consent-ID': consentId, 'PSU-IP-Address': '192.0.2.7' }
    const accounts = (await visit.tpp.send('GET', '/accounts', { headers })).body as { accounts: readonly object[] }
    const main = accounts.accounts.find((one) => JSON.stringify(one).includes(MAIN)) as { resourceId: string }
    const path = `/accounts/${main.resourceId}/transactions?bookingStatus=booked&dateFrom=2031-03-01`
    const { body } = await visit.tpp.send('GET', path, { headers })
    return (body as { transactions: { booked: readonly object[] } }).transactions.booked
  }

  test('has one line with batch booking, which contains no name', async () => {
    const booked = await lines(fjell, { batchBookingPreferred: true, paymentInformationId: 'P-2031-03' })
    expect(booked).toEqual([
      expect.objectContaining({
        batchIndicator: true,
        batchNumberOfTransactions: 2,
        transactionAmount: { currency: 'NOK', amount: '-3.00' },
        remittanceInformationUnstructured: 'P-2031-03',
      }),
    ])
    expect(JSON.stringify(booked)).not.toContain('Unni')
  })

  test('has a line for each payment without it', async () => {
    const booked = await lines(fjell, {})
    expect(booked).toMatchObject([
      { transactionAmount: { amount: '-2.00' }, creditorName: 'Unni Åsen' },
      { transactionAmount: { amount: '-1.00' }, creditorName: 'Unni Åsen' },
    ])
  })
})

test('for any bulk, the amount that leaves the account is the sum of what is paid, and creditors get theirs', async () => {
  // Some scripted amounts have the whole bulk rejected when it is ordered.
  const unscripted = fc
    .integer({ min: 1, max: 900_000 })
    .filter((minor) => !outcomes.some(({ amount }) => amount * 100 === minor))
  const amount = fc.oneof(fc.constantFrom('7702.00', '7706.00'), unscripted.map(asAmount))
  const payment = fc.record({ amount, isInside: fc.boolean() })
  const law = fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 12 }), fc.boolean(), async (paid, wish) => {
    await fjell.tpp.control('POST', '/reset')
    await fjell.clockTo(MONDAY)
    const payments = paid.map((one) =>
      fjell.element(one.amount, one.isInside ? { creditorAccount: { bban: SUPPLIER } } : {}),
    )
    const path = await signed(fjell, payments, { batchBookingPreferred: wish })
    await fjell.clockTo(aMinuteLater)
    const statuses = await fjell.inside(path)
    const booked = paid.filter((_one, position) => statuses[position] === 'ACSC')
    const inside = booked.filter(({ isInside }) => isInside)
    expect([await fjell.balanceOf(MAIN), await fjell.balanceOf(SUPPLIER)]).toEqual([
      asAmount(100_000_000 - sumOf(booked)),
      asAmount(41_000_000 + sumOf(inside)),
    ])
  })
  await fc.assert(law, { numRuns: randomCases(50) })
})

function asAmount(minor: number): string {
  return (minor / 100).toFixed(2)
}

function sumOf(paid: readonly { readonly amount: string }[]): number {
  return paid.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
}
